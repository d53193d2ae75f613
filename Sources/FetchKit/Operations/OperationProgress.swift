/// How far an operation has come.
///
/// What is counted is up to the operation: bytes, items, dependencies.
public struct OperationProgress: Sendable, Hashable {
  /// How much is done.
  public var completed: Int64
  /// How much there is, if known.
  public var total: Int64?

  /// A progress from its parts.
  public init(completed: Int64 = 0, total: Int64? = nil) {
    self.completed = completed
    self.total = total
  }

  /// The part that is done, from 0 to 1; nil where the total is not known. Nothing of nothing is all of it.
  public var fraction: Double? {
    guard let total else { return nil }
    return total > 0 ? min(1, max(0, Double(completed) / Double(total))) : 1
  }
}
