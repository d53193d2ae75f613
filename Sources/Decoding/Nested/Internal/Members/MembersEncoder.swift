/// Encodes a value's members into an object that is encoded by path.
struct MembersEncoder: Encoder {
  /// Where the members go.
  enum Target {
    case object(EncodingNode)
    /// Nowhere: they belong to a member that is left out.
    case nothing
    /// There is no place for them, for that reason.
    case refused(EncodingError.Context)
  }

  let target: Target
  /// The name of a member that is left out.
  var skipped: String?
  /// Whether names are written as they are, whatever the encoder's strategy for keys.
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

  /// An encoder for what is inside of the value, which has no members left out.
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

/// Remembers the first refusal where a container cannot throw, for the end.
final class MemberRefusals {
  private(set) var first: EncodingError.Context?

  func note(_ refusal: EncodingError.Context) { first = first ?? refusal }
}
