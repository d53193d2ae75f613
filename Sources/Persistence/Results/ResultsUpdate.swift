/// A snapshot, and what makes it of the one before.
public struct ResultsUpdate<Object: ManagedObject>: Sendable {
  /// What the request asks for, as it was after the commit that is told.
  public let snapshot: ResultsSnapshot<Object>
  /// What has changed since the update before. It is empty in the first one.
  public let difference: ResultsDifference<Object>
}
