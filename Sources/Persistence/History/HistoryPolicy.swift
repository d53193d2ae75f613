/// Whether a store keeps a history of its commits.
///
/// The history is written in the transaction of each commit, by every container that writes to the store, whatever its
/// own configuration says. So it has no gaps. A migration begins it anew.
public enum HistoryPolicy: Sendable, Hashable {
  /// As the store has it already; a new one keeps none.
  case asStored
  /// The last commits in about so many bytes: the oldest are forgotten when others come. One commit of more bytes is
  /// kept without its values, or without the ids of its objects.
  case kept(bytes: Int = 16 << 20)
  /// None. What there is of it is forgotten.
  case off

  /// For what others commit to be followed.
  var following: HistoryPolicy { if case .kept = self { self } else { .kept() } }
}
