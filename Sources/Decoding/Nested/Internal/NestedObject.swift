/// An object that a decoder has opened, and the objects opened below it.
///
/// It is a class, because the size of a decoder's container is unknown at compile time: each copy of one in a property
/// or an optional costs several runtime calls.
final class NestedObject {
  let container: KeyedDecodingContainer<AnyKey>
  /// The object's key in its parent; nil for the root and for elements.
  private let key: AnyKey?
  // Only a few objects are opened in one object, so linear search is faster than hashing.
  private var objects: [NestedObject] = []

  init(_ container: KeyedDecodingContainer<AnyKey>, forKey key: AnyKey? = nil) {
    self.container = container
    self.key = key
  }

  /// Returns the object in a member.
  func object(forKey key: AnyKey) throws -> NestedObject {
    if let known = known(key) { return known }
    let object = NestedObject(try container.nestedContainer(keyedBy: AnyKey.self, forKey: key), forKey: key)
    objects.append(object)
    return object
  }

  /// Returns the object that the names lead to.
  func object(at names: some Sequence<AnyKey>) throws -> NestedObject {
    var object = self
    for name in names { object = try object.object(forKey: name) }
    return object
  }

  /// The same, or nil if one of the names is missing.
  func objectIfPresent(at names: some Sequence<AnyKey>) throws -> NestedObject? {
    var object = self
    for name in names {
      if let known = object.known(name) {
        object = known
      } else {
        guard object.container.contains(name) else { return nil }
        object = try object.object(forKey: name)
      }
    }
    return object
  }

  private func known(_ key: AnyKey) -> NestedObject? {
    for object in objects where object.key == key { return object }
    return nil
  }
}
