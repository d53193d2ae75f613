public import Foundation

/// What becomes of the changes of an object.
public struct SyncObjectStatus: Sendable, Hashable {
  /// What becomes of the changes of an object.
  public enum State: Sendable, Hashable {
    /// The object has no changes.
    case synchronized
    /// The changes are not sent yet. They wait for the decision about other objects, if there are any: those that were
    /// changed together with it or to which it refers, and that are rejected or unconfirmed.
    case waiting(for: [SyncedObject])
    /// The changes are in flight, or their outcome is not known.
    case sending
    /// The object may have been created, and there is no way to find out.
    case unconfirmed
    /// The server has rejected the changes, for this reason.
    case rejected(String)
  }

  /// What becomes of the changes.
  public let state: State
  /// When the first change was made that the server does not have, by the clock of this device. Nil if there is none.
  public let since: Date?
  /// What the server calls the object. Nil if it has not said so yet.
  public let key: SyncKey?
  /// Whether the object has to be read again.
  public let isOwed: Bool
}
