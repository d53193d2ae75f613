/// The value that a ``NestedDecoder`` stands at, and the objects that were opened below it, by the paths to them.
@usableFromInline
final class NestedRoot {
  private let decoder: any Decoder
  /// Set for decoders of this module, which are asked for containers only when the nodes do not answer.
  var nodes: NestedNodes?
  private var opened: NestedValue?
  /// Few paths share few prefixes, so looking through them beats hashing; identity, since prefixes are shared.
  private var prefixes: [PathPrefix] = []
  private var objects: [NestedValue.Object] = []

  init(_ decoder: some Decoder) throws {
    self.decoder = decoder
    nodes = NestedNodes(decoder)
    if nodes == nil { opened = try NestedValue(root: decoder) }
  }

  var value: NestedValue {
    if let opened { return opened }
    let value = NestedValue(decoder)
    opened = value
    return value
  }

  /// The object that has the value, with its key there, for a path that ends with a name; nil for any other path.
  func place(of path: JSONPath) throws -> (NestedValue.Object, AnyKey)? {
    guard let place = path.compiled.place else { return nil }
    guard let prefix = place.prefix else {
      if let object = try selectedObject(of: path, with: place.key, strictly: true) { return (object, place.key) }
      throw selectsNothing(path)
    }
    if let object = knownObject(at: prefix) { return (object, place.key) }
    let object = try value.followStrictly(prefix.steps).openObject()
    remember(object, at: prefix)
    return (object, place.key)
  }

  /// The same, or nil where something on the way is missing or null.
  func placeIfPresent(of path: JSONPath) throws -> (NestedValue.Object, AnyKey)? {
    guard let place = path.compiled.place else { return nil }
    guard let prefix = place.prefix else {
      return try selectedObject(of: path, with: place.key, strictly: false).map { ($0, place.key) }
    }
    if let object = knownObject(at: prefix) { return (object, place.key) }
    guard let holder = try value.follow(prefix.steps), let object = try holder.openObjectIfPresent() else { return nil }
    remember(object, at: prefix)
    return (object, place.key)
  }

  private func knownObject(at prefix: PathPrefix) -> NestedValue.Object? {
    prefixes.firstIndex { $0 === prefix }.map { objects[$0] }
  }

  private func remember(_ object: NestedValue.Object, at prefix: PathPrefix) {
    prefixes.append(prefix)
    objects.append(object)
  }
}
