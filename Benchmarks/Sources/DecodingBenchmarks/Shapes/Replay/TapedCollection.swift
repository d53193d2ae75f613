/// A collection that decoders decode themselves, without the code of `Codable` for each element.
protocol TapedCollection: Decodable {
  static func record(_ decoder: () throws -> any Decoder, on tape: Tape) throws -> Self
  /// Initializes memory for a value of this type.
  static func replay(_ count: Int, by replay: Replay, into memory: UnsafeMutableRawPointer) throws
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

  static func replay(_ count: Int, by replay: Replay, into memory: UnsafeMutableRawPointer) throws {
    if Element.self == Double.self {
      memory.initializeMemory(as: [Double].self, to: replay.numbers())
      return
    }
    var result: [Element] = []
    result.reserveCapacity(count)
    for _ in 0..<count { result.append(try replay.next(Element.self)) }
    memory.initializeMemory(as: [Element].self, to: result)
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

  static func replay(_ count: Int, by replay: Replay, into memory: UnsafeMutableRawPointer) throws {
    var result: [String: Value] = [:]
    result.reserveCapacity(count)
    for _ in 0..<count {
      let name = replay.text()
      result[name] = try replay.next(Value.self)
    }
    memory.initializeMemory(as: [String: Value].self, to: result)
  }
}

/// An element, as its decoder.
private struct Taped: Decodable {
  let decoder: any Decoder

  init(from decoder: any Decoder) { self.decoder = decoder }
}
