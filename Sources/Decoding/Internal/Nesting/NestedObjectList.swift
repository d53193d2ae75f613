/// The elements of an array of objects, opened as far as they are asked for, without a decoder for each of them.
final class NestedObjectList {
  /// The array's place in the object that holds it.
  let key: AnyKey
  private var container: any UnkeyedDecodingContainer
  private var objects: [NestedObject] = []
  private var failure: (any Error)?

  init(_ container: any UnkeyedDecodingContainer, forKey key: AnyKey) {
    self.container = container
    self.key = key
  }

  /// The object at an index, nil behind the end.
  ///
  /// - Throws: What opening it threw, where an element up to there is no object; and ever after, as nobody knows whether
  ///   the container has stepped over it.
  func object(_ index: Int) throws -> NestedObject? {
    while objects.count <= index {
      if let failure { throw failure }
      if container.isAtEnd { return nil }
      do {
        objects.append(NestedObject(try container.nestedContainer(keyedBy: AnyKey.self)))
      } catch {
        failure = error
        throw error
      }
    }
    return objects[index]
  }
}
