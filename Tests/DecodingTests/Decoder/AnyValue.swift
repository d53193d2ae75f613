/// Any JSON value, read as types do that do not know what they will find: by trying one kind after the other.
indirect enum AnyValue: Decodable, Equatable {
  case null
  case bool(Bool)
  case int(Int)
  case uint(UInt64)
  case double(Double)
  case string(String)
  case array([AnyValue])
  case object([String: AnyValue])

  struct Key: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    if let container = try? decoder.container(keyedBy: Key.self) {
      var members: [String: AnyValue] = [:]
      for key in container.allKeys { members[key.stringValue] = try container.decode(AnyValue.self, forKey: key) }
      self = .object(members)
      return
    }
    if var container = try? decoder.unkeyedContainer() {
      var elements: [AnyValue] = []
      while !container.isAtEnd { elements.append(try container.decode(AnyValue.self)) }
      self = .array(elements)
      return
    }
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int.self) {
      self = .int(value)
    } else if let value = try? container.decode(UInt64.self) {
      self = .uint(value)
    } else if let value = try? container.decode(Double.self) {
      self = .double(value)
    } else {
      self = .string(try container.decode(String.self))
    }
  }
}

/// Asks for nothing, so that the whole document is passed over.
struct Ignored: Decodable {
  init(from decoder: any Decoder) throws {}
}
