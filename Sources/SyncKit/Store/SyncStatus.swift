public import Foundation

/// What waits, and why.
///
/// ## Topics
///
/// ### Objects
/// - ``waiting``
/// - ``sending``
/// - ``rejected``
/// - ``unconfirmed``
/// - ``owed``
/// - ``conflicts``
/// - ``isSynchronized``
///
/// ### Commands
/// - ``waitingCommands``
/// - ``rejectedCommands``
/// - ``unconfirmedCommands``
///
/// ### Lists
/// - ``arriving``
/// - ``doubtful``
///
/// ### The engine
/// - ``isRunning``
/// - ``isPaused``
/// - ``error``
public struct SyncStatus: Sendable {
  /// The number of objects with changes that are not sent yet.
  public var waiting = 0
  /// When the oldest change was made that the server does not have, by the clock of this device.
  public var waitingSince: Date?
  /// The number of objects that are in flight, or whose outcome is not known.
  public var sending = 0
  /// The number of objects that the server has rejected, see ``SyncEngine/rejections()``.
  public var rejected = 0
  /// The number of objects that may have been created, and of which the server cannot say so, see
  /// ``SyncEngine/unconfirmed()``.
  public var unconfirmed = 0
  /// The number of objects that have to be read again.
  public var owed = 0
  /// The number of objects of the server that are not here yet: they may be some that are being created, or another
  /// object has a value that must be unique. They come when that one is changed, here or there.
  public var heldBack = 0
  /// The number of values that merges have given up, see ``SyncEngine/conflicts()``.
  public var conflicts = 0
  /// The number of commands that wait or are in flight, see ``SyncEngine/commands()``.
  public var waitingCommands = 0
  /// The number of commands that were rejected. Each holds the later ones of its queue.
  public var rejectedCommands = 0
  /// The number of commands that may have been performed. Each holds the later ones of its queue.
  public var unconfirmedCommands = 0
  /// The lists of which more pages follow. Until then, objects may be missing.
  public var arriving: Set<String> = []
  /// The lists that had more than 20 objects here, and of which more than half were absent when they were last read.
  /// They are deleted only after ``SyncEngine/confirmDeletions(in:)``: a server that fails may answer with an empty
  /// list.
  public var doubtful: Set<String> = []
  /// Whether the engine is started.
  public var isRunning = false
  /// Whether the user has to sign in, see ``RemoteFailure/unauthorized``.
  public var isPaused = false
  /// Why the last request or transaction failed. Nil if the last ones of all kinds succeeded.
  public var error: (any Error)?

  /// Whether the server has everything, as far as it is known.
  public var isSynchronized: Bool {
    waiting + sending + rejected + unconfirmed + waitingCommands + rejectedCommands + unconfirmedCommands == 0
  }
}
