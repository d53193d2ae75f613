/// Changes to a JSON value, written as the members that change: JSON Merge Patch (RFC 7396).
///
/// ```swift
/// let patch = JSONMergePatch(["title": "Emma", "publisher": .null])
/// let changed = patch.applied(to: ["title": "E", "publisher": "Orbit", "year": 1996])
/// ```
///
/// A member with null is removed, one with an object is changed by it, any other is set. An array is replaced as a
/// whole, and a member cannot be set to null. Decodes from and encodes as the document of the format.
///
/// A type with ``Field`` properties is a merge patch too, for values whose type is known.
public struct JSONMergePatch: Hashable, Sendable {
  /// The patch as a document.
  public var value: JSONValue

  /// Takes a patch document.
  public init(_ value: JSONValue) { self.value = value }

  /// Applies the patch; any patch applies to any value.
  public func applied(to target: JSONValue) -> JSONValue {
    guard let changes = value.object else { return value }
    // The objects that are being merged, so that depth needs no stack.
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

  /// Applies the patch to what a typed value is encoded to, and decodes the result.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - encoder: Encodes it.
  ///   - decoder: Has the options for the way back, which are a new decoder's if it is nil.
  /// - Throws: What encoding throws, and ``DecodingFailure`` where the result is no such value.
  public func applied<T: Codable>(
    encoding value: T, by encoder: JSONBytesEncoder = JSONBytesEncoder(), decoder: JSONBytesDecoder? = nil
  ) throws -> T {
    try applied(to: JSONValue(encoding: value, by: encoder)).decode(by: decoder)
  }
}

extension JSONMergePatch: Codable {
  /// Decodes a patch document.
  ///
  /// - Throws: What decoding a ``JSONValue`` throws.
  public init(from decoder: any Decoder) throws { self.init(try JSONValue(from: decoder)) }

  /// Encodes the patch document.
  public func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

/// An object that is being merged with the changes to it.
private struct OpenMerge {
  let target: JSONObject
  let changes: JSONObject
  let result = JSONStorage(isObject: true)
  /// The member that is being merged.
  var name = ""
  /// Counts the members of the target, then those of the changes.
  private var position = 0

  init(_ target: JSONObject, _ changes: JSONObject) { (self.target, self.changes) = (target, changes) }

  /// Adds members up to one that has to be merged, which is returned with the changes to it; nil when all are added.
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
