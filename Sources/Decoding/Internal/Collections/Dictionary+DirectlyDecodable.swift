/// Dictionaries keep their keys as they are in the text: no key decoding strategy applies, as in Foundation.
///
/// They go through the object by themselves, from its beginning and without a record: its node may be open already and
/// stand anywhere, and must find there what it finds afterwards.
extension Dictionary: DirectlyDecodable where Key == String, Value: Decodable {
  static func decodeDirectly(_ state: DecodingState, _ value: UInt32, _ node: Int) throws -> AnyObject {
    if Value.self == Int.self { return object(of: try state.integerDictionary(value, node)) }
    if Value.self == String.self { return object(of: try state.stringDictionary(value, node)) }
    if Value.self == Double.self { return object(of: try state.doubleDictionary(value, node)) }
    if Value.self == Bool.self { return object(of: try state.booleanDictionary(value, node)) }
    var members = try state.members(value, node)
    var result: [String: Value] = [:]
    while members.next() {
      guard let name = members.name else { throw state.syntaxError() }
      do {
        let member = try state.decode(Value.self, members.place, members.valuePlace(in: node))
        if result[name] == nil { result[name] = member }  // the first one counts, as everywhere
      } catch  where result[name] != nil && state.scanner.core.pointee.fault < 0 {
        continue
      }
    }
    if members.isFaulty { throw state.syntaxError() }
    return object(of: result)
  }
}

extension DecodingState {
  /// The members of the object at `value`, from the first one on.
  @inline(__always)
  fileprivate func members(_ value: UInt32, _ node: Int) throws -> MemberCursor {
    try requireObject(value, node)
    return MemberCursor(scanner: scanner, object: Int(value), depth: Int(scanner.node(node).pointee.depth) &+ 1)
  }

  /// A dictionary of scalars: names and values are collected first, so that the table is made once and in its size.
  @inline(__always)
  private func collect<Value: JSONScalar>(_ value: UInt32, _ node: Int) throws -> [String: Value] {
    var members = try members(value, node)
    var names: [String] = []
    var values: [Value] = []
    while members.next() {
      guard let name = members.name else { throw syntaxError() }
      if let member = Value.read(scanner, members.place) {
        values.append(member)
      } else {
        // The general way knows the strategies for numbers written as strings, and makes the error.
        do {
          values.append(try decode(Value.self, members.place, members.valuePlace(in: node)))
        } catch  where names.contains(name) && scanner.core.pointee.fault < 0 {
          continue
        }
      }
      names.append(name)
    }
    if members.isFaulty { throw syntaxError() }
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

extension MemberCursor {
  /// The offset of the member's value.
  @inline(__always) fileprivate var place: UInt32 { UInt32(truncatingIfNeeded: value) }

  @inline(__always)
  fileprivate func valuePlace(in node: Int) -> ValuePlace {
    ValuePlace(parent: node, key: UInt32(truncatingIfNeeded: nameStart), kind: .dictionaryName)
  }
}
