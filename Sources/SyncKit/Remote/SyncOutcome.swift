/// What became of a ``SyncChange``.
public enum SyncOutcome: Sendable {
  /// It took effect. If the answer has the object as it is now, pass it on: otherwise the object is read once more.
  ///
  /// `key` and `version` are for answers that have nothing else. For a creation whose key the server assigns, either
  /// the key or the object is necessary.
  case accepted(RemoteObject? = nil, key: SyncKey? = nil, version: RemoteVersion? = nil)
  /// The server has other values, or already has this object, and refused the change: 409 or 412. If the answer has the
  /// object as it is now, it is merged, and what is left of the change is sent again. Otherwise the object is read
  /// first.
  case conflict(RemoteObject? = nil)
  /// The server does not take these values, such as with 422. The object waits until it is changed here or there, or
  /// until the app decides, see ``SyncEngine/rejections()``. The text is the reason, as people should read it.
  case rejected(String)
  /// The server does not have the object: 404. For a deletion, this means that all is well. A creation is then
  /// rejected.
  case missing
  /// It had no effect, because it was not sent, or because the server is busy, such as with 429. It is
  /// sent again: as a new change, unless an earlier attempt may have taken effect.
  ///
  /// If ``SyncRemote/push(_:_:)`` throws instead, and more than one change is without an outcome, all of them are
  /// unknown: another one may have taken effect.
  case later(milliseconds: Int64? = nil)
  /// The server has erased the object, and nothing may remain of it, such as with 410.
  case gone
}

extension SyncBatch {
  /// Records what became of the changes of a batch.
  public struct Attempt: Sendable {
    let save: @Sendable ([(SyncChange, SyncOutcome)]) async throws -> Void

    /// Records what became of a change. Returns when that is stored, so that the next request may be sent. A change
    /// without a recorded outcome is *unknown*, and is sent again with the same ``SyncChange/idempotencyKey``.
    ///
    /// - Throws: ``SyncError`` if the outcome does not fit the classes, or an error of the store. Do not catch it: let
    ///   ``SyncRemote/push(_:_:)`` throw it.
    public func record(_ outcome: SyncOutcome, for change: SyncChange) async throws {
      try await save([(change, outcome)])
    }

    /// Records what became of several changes at once, as it is necessary for an atomic batch.
    public func record(_ outcomes: [(SyncChange, SyncOutcome)]) async throws { try await save(outcomes) }
  }
}
