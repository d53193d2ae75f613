internal import Foundation

/// A value that writes itself without a container.
protocol DirectlyEncodable {
  /// Writes the value at the state's current path.
  func encodeDirectly(_ state: EncodingState) throws
}

extension Array: DirectlyEncodable where Element: Encodable {
  func encodeDirectly(_ state: EncodingState) throws {
    let writer = state.writer
    let slot = state.shared.types.slot(for: Element.self)
    let depth = state.descend([], .index(0))
    defer { state.ascend(to: depth) }
    writer.append(ASCII.leftBracket)
    // Neither `enumerated()` nor `indices`, because their types would be looked up each time.
    for index in 0..<count {
      if index > 0 { writer.append(ASCII.comma) }
      state.setIndex(index)
      try state.encode(self[index], slot)
    }
    writer.append(ASCII.rightBracket)
  }
}

/// Writes the names unchanged, regardless of the key strategy.
extension Dictionary: DirectlyEncodable where Key == String, Value: Encodable {
  func encodeDirectly(_ state: EncodingState) throws {
    let writer = state.writer
    let slot = state.shared.types.slot(for: Value.self)
    let escapesSlashes = state.shared.escapesSlashes
    let depth = state.descend([], .index(0))
    defer { state.ascend(to: depth) }
    writer.append(ASCII.leftBrace)
    var isFirst = true
    for (name, value) in self {
      if !isFirst { writer.append(ASCII.comma) }
      isFirst = false
      writer.append(name, escapesSlashes: escapesSlashes)
      writer.append(ASCII.colon)
      state.setName(name)
      try state.encode(value, slot)
    }
    writer.append(ASCII.rightBrace)
  }
}

extension ISO8601Text: DirectlyEncodable, Encodable {
  func encodeDirectly(_ state: EncodingState) {
    state.writer.append(ASCII.quote)
    state.writer.write(room: Self.maximumLength, write)
    state.writer.append(ASCII.quote)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

typealias EncodingTypes = TypeCache<any DirectlyEncodable.Type>
