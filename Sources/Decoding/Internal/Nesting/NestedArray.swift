/// The elements of an array, each behind a decoder of its own, made as far as they are asked for.
final class NestedArray {
  private var container: any UnkeyedDecodingContainer
  private var elements: [NestedValue] = []

  init(_ container: any UnkeyedDecodingContainer) {
    self.container = container
  }

  var codingPath: [any CodingKey] { container.codingPath }

  /// The element at an index, which counts from the end when negative; costs a decoder per element up to there.
  func element(_ index: Int) throws -> NestedValue? {
    if index < 0 {
      let all = try allElements()
      return all.count + index >= 0 ? all[all.count + index] : nil
    }
    while elements.count <= index, try advance() {}
    return index < elements.count ? elements[index] : nil
  }

  func allElements() throws -> [NestedValue] {
    while try advance() {}
    return elements
  }

  private func advance() throws -> Bool {
    guard !container.isAtEnd else { return false }
    // `superDecoder()` steps over any element; a failed `decode` would not, and a decoder captured from elsewhere
    // would not stay at this one.
    elements.append(NestedValue(try container.superDecoder()))
    return true
  }
}
