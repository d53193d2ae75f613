/// A snapshot and its difference from the previous one.
public struct ResultsUpdate<Object: ManagedObject>: Sendable {
  /// The request's objects after a commit.
  public let snapshot: ResultsSnapshot<Object>
  /// The changes since the previous update. The first update has an empty difference.
  public let difference: ResultsDifference<Object>
}
