/// A set of changes to a JSON value in the JSON Merge Patch format (RFC 7396). The patch contains only the members that
/// change.
///
/// ```swift
/// let patch = JSONMergePatch(["title": "Emma", "publisher": .null])
/// let changed = patch.applied(to: [
///   "title": "E", "publisher": "Orbit", "year": 1996,
/// ])
/// ```
///
/// Each member of the patch changes the target's member with the same name: null removes the target's member, an object
/// is merged into it, and any other value replaces it. Arrays are replaced as a whole, and a patch cannot set a member
/// to null. A `JSONMergePatch` is decoded from a patch document and encoded as a patch document.
///
/// If you know the Swift type of the target, you can also use a type with ``Field`` properties as a merge patch.
public struct JSONMergePatch: Hashable, Sendable {
  /// The patch document.
  public var value: JSONValue

  /// Creates a patch from a patch document.
  public init(_ value: JSONValue) { self.value = value }

  /// Returns the result of applying the patch to a target. Any patch can be applied to any value.
  public func applied(to target: JSONValue) -> JSONValue {
    guard let changes = value.object else { return value }
    // The objects being merged, in an array instead of on the stack, so that depth is not limited.
    var open = [OpenMerge(target.object ?? [:], changes)]
    while true {
      if let (inner, changes) = open[open.count - 1].next() {
        open.append(OpenMerge(inner.object ?? [:], changes))
      } else {
        let result = JSONValue.object(JSONObject(open.removeLast().result))
        guard let outer = open.last else { return result }
        outer.result.append(outer.name, result)
      }
    }
  }

  /// Encodes a value of a `Codable` type, applies the patch to the encoded value, and decodes the result.
  ///
  /// - Parameters:
  ///   - value: The value to apply the patch to.
  ///   - encoder: The encoder for the value.
  ///   - decoder: The decoder for the result, or nil for a decoder with default options.
  /// - Throws: Any error thrown while encoding, and ``LocatedDecodingError`` if the result cannot be decoded.
  public func applied<T: Codable>(
    encoding value: T, by encoder: JSONBytesEncoder = JSONBytesEncoder(), decoder: JSONBytesDecoder? = nil
  ) throws -> T {
    try applied(to: JSONValue(encoding: value, by: encoder)).decode(by: decoder)
  }
}

extension JSONMergePatch: Codable {
  /// Decodes a patch document.
  ///
  /// - Throws: Any error thrown while decoding a ``JSONValue``.
  public init(from decoder: any Decoder) throws { self.init(try JSONValue(from: decoder)) }

  /// Encodes the patch document.
  public func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

/// An object that is being merged, and the changes to it.
private struct OpenMerge {
  let target: JSONObject
  let changes: JSONObject
  let result = JSONStorage(isObject: true)
  /// The name of the member that is being merged.
  var name = ""
  /// The position in the members of the target, followed by those of the changes.
  private var position = 0

  init(_ target: JSONObject, _ changes: JSONObject) { (self.target, self.changes) = (target, changes) }

  /// Adds members up to the next one that has to be merged, and returns that one with its changes, or nil after the
  /// last.
  mutating func next() -> (JSONValue, JSONObject)? {
    while position < target.count + changes.count {
      let member = position < target.count ? target[position] : changes[position - target.count]
      let isNew = position >= target.count
      position += 1
      if isNew, target.storage.position(of: member.name) != nil { continue }
      switch isNew ? member.value : changes[member.name] {
      case nil: result.append(member.name, member.value)
      case .null?: break
      case .object(let inner)?:
        name = member.name
        return (isNew ? .null : member.value, inner)
      case let change?: result.append(member.name, change)
      }
    }
    return nil
  }
}
