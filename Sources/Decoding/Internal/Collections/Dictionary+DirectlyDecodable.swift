/// Dictionaries keep their keys as they are in the text: no key decoding strategy applies, as in Foundation.
extension Dictionary: DirectlyDecodable where Key == String, Value: Decodable {
  static func decodeDirectly(_ state: DecodingState, _ value: UInt32, _ node: Int) throws -> AnyObject {
    if Value.self == Int.self { return object(of: try state.integerDictionary(value, node)) }
    if Value.self == String.self { return object(of: try state.stringDictionary(value, node)) }
    if Value.self == Double.self { return object(of: try state.doubleDictionary(value, node)) }
    if Value.self == Bool.self { return object(of: try state.booleanDictionary(value, node)) }
    let reader = state.reader
    let owner = try state.openObject(value, UInt32(truncatingIfNeeded: node))
    var result: [String: Value] = [:]
    while let (name, start, place) = try state.nextMember(owner) {
      let member = try state.decode(
        Value.self, place, ValuePlace(parent: owner, key: UInt32(truncatingIfNeeded: start), kind: .dictionaryName))
      if result[name] == nil { result[name] = member }  // the first one counts, as everywhere
    }
    if reader.core.pointee.fault >= 0 { throw state.syntaxError() }
    return object(of: result)
  }
}

extension DecodingState {
  /// The next member of an object: its name, where that starts, and its value.
  @inline(__always)
  func nextMember(_ owner: Int) throws -> (name: String, start: Int, value: UInt32)? {
    let (start, _, value) = reader.advance(owner)
    if start < 0 {
      if start == KeyStep.fault { throw syntaxError() }
      return nil
    }
    guard let name = reader.quotedString(start &- 1) else { throw syntaxError() }
    return (name, start, UInt32(truncatingIfNeeded: value))
  }

  /// A dictionary of scalars: names and values are collected first, so that the table is made once and in its size.
  @inline(__always)
  private func collect<Value: JSONScalar>(_ value: UInt32, _ node: Int) throws -> [String: Value] {
    let owner = try openObject(value, UInt32(truncatingIfNeeded: node))
    var names: [String] = []
    var values: [Value] = []
    while let (name, start, place) = try nextMember(owner) {
      guard let member = Value.read(reader, place) else {
        let inside = ValuePlace(parent: owner, key: UInt32(truncatingIfNeeded: start), kind: .dictionaryName)
        // The general way knows the strategies for numbers written as strings, and makes the error.
        names.append(name)
        values.append(try decode(Value.self, place, inside))
        continue
      }
      names.append(name)
      values.append(member)
    }
    return [String: Value](zip(names, values), uniquingKeysWith: { first, _ in first })
  }

  @inline(never)
  func integerDictionary(_ value: UInt32, _ node: Int) throws -> [String: Int] { try collect(value, node) }

  @inline(never)
  func stringDictionary(_ value: UInt32, _ node: Int) throws -> [String: String] { try collect(value, node) }

  @inline(never)
  func doubleDictionary(_ value: UInt32, _ node: Int) throws -> [String: Double] { try collect(value, node) }

  @inline(never)
  func booleanDictionary(_ value: UInt32, _ node: Int) throws -> [String: Bool] { try collect(value, node) }
}
