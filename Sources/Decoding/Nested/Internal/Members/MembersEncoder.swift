/// Encodes a value's members into an object that is encoded by path.
struct MembersEncoder: Encoder {
  /// The destination of the members.
  enum Target {
    case object(EncodingNode)
    /// Nowhere, because they belong to an omitted member.
    case nothing
    /// They cannot be encoded, for this reason.
    case refused(EncodingError.Context)
  }

  /// The member that identifies the type of the value.
  struct Identity {
    /// The way to it from the object.
    let steps: ArraySlice<PathStep>
    /// The values that are written if the value itself encodes the member.
    let names: [String]
  }

  let target: Target
  /// The member that identifies the type.
  var identity: Identity?
  /// Whether names are written unchanged, regardless of the encoder's key strategy.
  var keepsNames = false
  let refusals: MemberRefusals
  let codingPath: [any CodingKey]
  let userInfo: [CodingUserInfoKey: Any]

  func container<Key: CodingKey>(keyedBy _: Key.Type) -> KeyedEncodingContainer<Key> {
    if case .object(let node) = target, !node.becomeObject() { refusals.note(notAnObject("another kind of value")) }
    return KeyedEncodingContainer(MembersContainer<Key>(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if case .nothing = target { return ValueMembersContainer(encoder: self) }
    return ValueMembersContainer(encoder: refusing(notAnObject("an array"), codingPath))
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { ValueMembersContainer(encoder: self) }

  /// Returns an encoder for the content of the value.
  func inner(_ target: Target, _ codingPath: [any CodingKey]) -> MembersEncoder {
    MembersEncoder(target: target, refusals: refusals, codingPath: codingPath, userInfo: userInfo)
  }

  func refusing(_ reason: EncodingError.Context, _ codingPath: [any CodingKey]) -> MembersEncoder {
    refusals.note(reason)
    return inner(.refused(reason), codingPath)
  }

  func notAnObject(_ found: String) -> EncodingError.Context {
    EncodingError.Context(
      codingPath: codingPath, debugDescription: "Expected a value that is encoded as an object, found \(found).")
  }
}

/// Stores the first rejection by a container that cannot throw, so that it is thrown at the end.
final class MemberRefusals {
  private(set) var first: EncodingError.Context?

  func note(_ refusal: EncodingError.Context) { first = first ?? refusal }
}
