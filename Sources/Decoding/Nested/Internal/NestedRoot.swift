/// The value at which a ``NestedDecoder`` starts, and what has been opened below it.
final class NestedRoot {
  private(set) var decoder: any Decoder
  /// Set for decoders of this module, whose containers are requested only if the nodes cannot answer.
  var nodes: FastPathNavigator?
  /// The value as an object; nil for an array, and if the nodes are used first.
  let object: NestedObject?
  private var opened: NestedValue?

  /// Returns the root of a decoder; that of the last value if nothing refers to it any more.
  static func of(_ decoder: some Decoder) throws -> NestedRoot {
    guard let own = decoder.asBytesDecoder else { return try NestedRoot(decoder) }
    if isKnownUniquelyReferenced(&own.state.paths), let paths = own.state.paths {
      let root = unsafeDowncast(paths, to: NestedRoot.self)
      if root.nodes?.restart(own) == true {
        (root.decoder, root.opened) = (own, nil)
        return root
      }
    }
    let root = try NestedRoot(own)
    // Only `end` resolves the cycle.
    if !own.state.isKept { own.state.paths = root }
    return root
  }

  private init(_ decoder: some Decoder) throws {
    self.decoder = decoder
    nodes = decoder.asBytesDecoder.flatMap { FastPathNavigator($0) }
    guard nodes == nil else {
      object = nil
      return
    }
    do {
      object = NestedObject(try decoder.container(keyedBy: AnyKey.self))
    } catch {
      object = nil
      // An array is fine too; for any other value the first error describes it.
      guard let container = try? decoder.unkeyedContainer() else { throw error }
      opened = NestedValue(decoder, array: NestedArray(container))
    }
  }

  var value: NestedValue {
    if let opened { return opened }
    let value = NestedValue(decoder, object: object)
    opened = value
    return value
  }

  /// Returns the object that contains the value, and the value's key, for a path that ends with a name; otherwise nil.
  func place(of path: JSONPath) throws -> (NestedObject, AnyKey)? {
    guard let place = path.compiled.place else { return nil }
    guard let prefix = place.prefix else {
      if let object = try selectedObject(of: path, with: place.key, strictly: true) { return (object, place.key) }
      throw selectsNothing(path)
    }
    // If this fails, the generic implementation fails too, and reports why.
    if let names = prefix.names, let object = try? object?.object(at: names) { return (object, place.key) }
    return (try value.followStrictly(prefix.steps).openObject(), place.key)
  }

  /// The same, or nil if anything on the way is missing or null.
  func placeIfPresent(of path: JSONPath) throws -> (NestedObject, AnyKey)? {
    guard let place = path.compiled.place else { return nil }
    guard let prefix = place.prefix else {
      return try selectedObject(of: path, with: place.key, strictly: false).map { ($0, place.key) }
    }
    if let names = prefix.names, let object {
      do {
        return try object.objectIfPresent(at: names).map { ($0, place.key) }
      } catch {
        // Null, which is not an object either, or the wrong kind of value; the generic implementation determines which.
      }
    }
    guard let holder = try value.follow(prefix.steps), let object = try holder.openObjectIfPresent() else { return nil }
    return (object, place.key)
  }
}
