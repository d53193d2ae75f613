/// The progress of an operation.
///
/// Progress is counted in units that the operation determines, such as bytes, items or dependencies.
public struct OperationProgress: Sendable, Hashable {
  /// The number of completed units.
  public var completed: Int64
  /// The total number of units, or nil if it is unknown.
  public var total: Int64?

  /// Creates a progress value with the given numbers of units.
  public init(completed: Int64 = 0, total: Int64? = nil) {
    self.completed = completed
    self.total = total
  }

  /// The completed fraction, from 0 to 1, or nil if the total is unknown. If the total is 0, the fraction is 1.
  public var fraction: Double? {
    guard let total else { return nil }
    return total > 0 ? min(1, max(0, Double(completed) / Double(total))) : 1
  }
}
