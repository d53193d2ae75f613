/// An object of a many-to-many relationship that is sent.
public enum SyncMember: Hashable, Sendable {
  /// The server has the object, under this key.
  case key(SyncKey)
  /// The same atomic batch creates the object: the change at a position in ``SyncBatch/changes``.
  case created(position: Int)

  /// The key, if the server has the object.
  public var key: SyncKey? { if case .key(let key) = self { key } else { nil } }
}
