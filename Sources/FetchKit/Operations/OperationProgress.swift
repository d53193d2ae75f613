/// The progress of an operation.
///
/// The operation determines what is counted, such as bytes, items or dependencies.
public struct OperationProgress: Sendable, Hashable {
  /// The completed amount.
  public var completed: Int64
  /// The total amount, or nil if it is unknown.
  public var total: Int64?

  /// Creates a progress value from its parts.
  public init(completed: Int64 = 0, total: Int64? = nil) {
    self.completed = completed
    self.total = total
  }

  /// The completed fraction, from 0 to 1, or nil if the total is unknown. It is 1 if the total is 0.
  public var fraction: Double? {
    guard let total else { return nil }
    return total > 0 ? min(1, max(0, Double(completed) / Double(total))) : 1
  }
}
