/// The elements of an array, each behind a decoder of its own, made as far as they are asked for.
final class NestedArray {
  private var container: any UnkeyedDecodingContainer
  private var elements: [NestedChild] = []

  init(_ container: any UnkeyedDecodingContainer) {
    self.container = container
  }

  var codingPath: [any CodingKey] { container.codingPath }

  /// The element at an index, which counts from the end when negative; costs a decoder per element up to there.
  func element(_ index: Int) throws -> NestedChild {
    guard index < 0 else {
      while elements.count <= index, try advance() {}
      return index < elements.count ? elements[index] : .missing
    }
    let all = try allElements()
    return all.count + index >= 0 ? all[all.count + index] : .missing
  }

  func allElements() throws -> [NestedChild] {
    while try advance() {}
    return elements
  }

  private func advance() throws -> Bool {
    guard !container.isAtEnd else { return false }
    // `superDecoder()` steps over any element; a failed `decode` would not, and a decoder captured from elsewhere
    // would not stay at this one.
    let decoder = try container.superDecoder()
    let value = NestedValue(decoder)
    elements.append(try decoder.singleValueContainer().decodeNil() ? .null(value) : .value(value))
    return true
  }
}
