/// What became of a ``SyncCommandRequest``.
public enum SyncCommandOutcome: Hashable, Sendable {
  /// The server has performed it, now or before. The lists are read again, because objects may have changed there.
  case done
  /// The server does not perform it, and has not. The text is the reason, as people should read it. The command holds
  /// the later ones of its queue until the app decides, see ``SyncEngine/commands()``.
  case rejected(String)
  /// There is no answer, or none that decides. It is the same as an error that ``SyncRemote/failure(_:)`` translates.
  case failed(RemoteFailure)
}
