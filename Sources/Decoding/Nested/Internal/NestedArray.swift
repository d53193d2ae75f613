/// The elements of an array, each with its own decoder, created up to the last one requested.
final class NestedArray {
  private var container: any UnkeyedDecodingContainer
  private var elements: [NestedValue] = []

  init(_ container: any UnkeyedDecodingContainer) { self.container = container }

  /// Returns the element at an index, which counts from the end if negative; costs a decoder per element up to it.
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
    // `superDecoder()` advances past any element. A failed `decode` would not, and a decoder captured in another way
    // would not remain at this element.
    elements.append(NestedValue(try container.superDecoder()))
    return true
  }
}
