/// The value that a ``NestedDecoder`` stands at, with what was opened of it.
@usableFromInline
final class NestedRoot {
  private let decoder: any Decoder
  /// Set for decoders of this module, which are asked for containers only when the nodes do not answer.
  var nodes: NestedNodes?
  /// The value as an object; nil for an array, and where the nodes are asked first.
  let object: NestedObject?
  private var opened: NestedValue?

  init(_ decoder: some Decoder) throws {
    self.decoder = decoder
    nodes = NestedNodes(decoder)
    guard nodes == nil else {
      object = nil
      return
    }
    do {
      object = NestedObject(try decoder.container(keyedBy: AnyKey.self))
    } catch {
      object = nil
      // An array will do; for anything else the first error tells what it is.
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

  /// The object that has the value, with its key there, for a path that ends with a name; nil for any other path.
  func place(of path: JSONPath) throws -> (NestedObject, AnyKey)? {
    guard let place = path.compiled.place else { return nil }
    guard let prefix = place.prefix else {
      if let object = try selectedObject(of: path, with: place.key, strictly: true) { return (object, place.key) }
      throw selectsNothing(path)
    }
    // Where this fails, the way for any path fails too, and says why.
    if let names = prefix.names, let object = try? object?.object(at: names) { return (object, place.key) }
    return (try value.followStrictly(prefix.steps).openObject(), place.key)
  }

  /// The same, or nil where something on the way is missing or null.
  func placeIfPresent(of path: JSONPath) throws -> (NestedObject, AnyKey)? {
    guard let place = path.compiled.place else { return nil }
    guard let prefix = place.prefix else {
      return try selectedObject(of: path, with: place.key, strictly: false).map { ($0, place.key) }
    }
    if let names = prefix.names, let object {
      do {
        return try object.objectIfPresent(at: names).map { ($0, place.key) }
      } catch {
        // Null, which is no object either, or the wrong kind of value: the way for any path tells which.
      }
    }
    guard let holder = try value.follow(prefix.steps), let object = try holder.openObjectIfPresent() else { return nil }
    return (object, place.key)
  }
}
