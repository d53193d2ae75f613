/// A collection that decoders decode themselves, without the code of `Codable` for each element.
protocol TapedCollection: Decodable {
  static func record(_ decoder: () throws -> any Decoder, on tape: Tape) throws -> Self
  /// Returns the storage of a value of this type, which is all that the value consists of.
  static func replay(_ count: Int, by replay: Replay) throws -> AnyObject
}

extension Array: TapedCollection where Element: Decodable {
  static func record(_ decoder: () throws -> any Decoder, on tape: Tape) throws -> [Element] {
    if Element.self == Double.self {
      let numbers = try tape.noting { try [Double](from: decoder()) }
      tape.add(Self.self, count: numbers.count)
      tape.add(words: numbers.map(\.bitPattern))
      return numbers as! [Element]
    }
    let elements = try tape.noting { try decoder().singleValueContainer().decode([Taped].self) }
    tape.add(Self.self, count: elements.count)
    return try elements.map { element in try tape.record(Element.self) { element.decoder } }
  }

  static func replay(_ count: Int, by replay: Replay) throws -> AnyObject {
    if Element.self == Double.self { return unsafeBitCast(replay.numbers(), to: AnyObject.self) }
    if Element.self == [Double].self { return unsafeBitCast(replay.rows(count), to: AnyObject.self) }
    let elements = try Array(unsafeUninitializedCapacity: count) { memory, initialized in
      while initialized < count {
        memory.initializeElement(at: initialized, to: try replay.next(Element.self))
        initialized += 1
      }
    }
    return unsafeBitCast(elements, to: AnyObject.self)
  }
}

extension Dictionary: TapedCollection where Key == String, Value: Decodable {
  static func record(_ decoder: () throws -> any Decoder, on tape: Tape) throws -> [String: Value] {
    let members = try tape.noting { try decoder().singleValueContainer().decode([String: Taped].self) }
    tape.add(Self.self, count: members.count)
    var result: [String: Value] = [:]
    for (name, member) in members {
      tape.add(name)
      result[name] = try tape.record(Value.self) { member.decoder }
    }
    return result
  }

  static func replay(_ count: Int, by replay: Replay) throws -> AnyObject {
    var result: [String: Value] = [:]
    result.reserveCapacity(count)
    for _ in 0..<count {
      let name = replay.text()
      result[name] = try replay.next(Value.self)
    }
    return unsafeBitCast(result, to: AnyObject.self)
  }
}

/// An element, as its decoder.
private struct Taped: Decodable {
  let decoder: any Decoder

  init(from decoder: any Decoder) { self.decoder = decoder }
}
