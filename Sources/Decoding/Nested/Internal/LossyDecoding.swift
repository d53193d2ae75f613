extension Lossy where Element: Decodable {
  /// Decodes the elements of an array, and skips those that cannot be decoded.
  init(elementsOf container: inout any UnkeyedDecodingContainer) throws {
    self.init(values: [])
    if let count = container.count { values.reserveCapacity(min(count, 4096)) }
    while !container.isAtEnd {
      let index = container.currentIndex
      do {
        values.append(try container.decode(Element.self))
      } catch {
        // Not every decoder advances after a failed `decode`, but creating a decoder for the element does.
        let decoder = container.currentIndex == index ? try container.superDecoder() : nil
        let path = container.codingPath + [AnyKey(intValue: index)]
        drops.append(DroppedElement(index: index, codingPath: path, error: error, decoder: decoder))
        guard container.currentIndex > index else { throw error }
      }
    }
  }
}

extension Lossy {
  /// Decodes the values that a path selected with a closure.
  init(_ selected: [NestedValue], _ decode: (NestedValue) throws -> Element) {
    self.init(values: [])
    for (index, value) in selected.enumerated() {
      do {
        values.append(try decode(value))
      } catch {
        drops.append(
          DroppedElement(index: index, codingPath: value.codingPath, error: error, decoder: try? value.decoder()))
      }
    }
  }

  /// Returns the result if enough of it could be decoded.
  func checked(_ limit: LossyLimit, codingPath: [any CodingKey]) throws -> Lossy {
    let count = values.count + drops.count
    if limit.allows(drops.count, of: count) { return self }
    throw DecodingError.corrupted(LossyDecodingError(drops: drops, count: count), at: codingPath)
  }
}
