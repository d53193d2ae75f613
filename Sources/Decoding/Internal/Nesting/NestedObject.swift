/// An object that a decoder has opened, with those opened below it.
///
/// A class, since the compiler does not know how large a decoder's container is: each copy of one that lies in a field
/// or in an optional costs several calls of the runtime.
final class NestedObject {
  let container: KeyedDecodingContainer<AnyKey>
  /// The object's place in the one that holds it; nil for the root and for elements.
  private let key: AnyKey?
  // Few are opened in one object, so looking through them beats hashing.
  private var objects: [NestedObject] = []

  init(_ container: KeyedDecodingContainer<AnyKey>, forKey key: AnyKey? = nil) {
    self.container = container
    self.key = key
  }

  /// The object in a member.
  func object(forKey key: AnyKey) throws -> NestedObject {
    if let known = known(key) { return known }
    let object = NestedObject(try container.nestedContainer(keyedBy: AnyKey.self, forKey: key), forKey: key)
    objects.append(object)
    return object
  }

  /// The object that the names lead to.
  func object(at names: some Sequence<AnyKey>) throws -> NestedObject {
    var object = self
    for name in names { object = try object.object(forKey: name) }
    return object
  }

  /// The same, or nil where one of the names is missing.
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
