public import Foundation

/// A ``SyncCommand`` that is not settled.
public struct SyncCommandStatus: Sendable, Hashable, Identifiable {
  /// What becomes of a command.
  public enum State: Sendable, Hashable {
    /// It is not sent yet. It waits for objects that the server does not have, or not as they are here. Without any, it
    /// waits for an earlier command of its queue, for the next attempt, or for the user to sign in.
    case waiting(for: [SyncedObject])
    /// It is in flight, or its outcome is not known.
    case sending
    /// It may have been performed, and the server would perform it again: see
    /// ``RemoteCapabilities/recognizesCommands``.
    case unconfirmed
    /// It was not performed, for this reason: the text of ``SyncCommandOutcome/rejected(_:)``, or a sentence of the
    /// engine's if an object that it needs was deleted.
    case rejected(String)
  }

  /// Identifies the command.
  public let id: Int64
  /// What to do.
  public let name: String
  /// What the server has to know about it. Empty if the server has erased an object that the command needs.
  public let payload: Data
  /// The name of the queue.
  public let queue: String
  /// What becomes of the command.
  public let state: State
}
