/// The result of an import.
public struct ImportReport: Sendable, Hashable {
  /// The number of imported rows.
  public let rows: Int
  /// The number of rows that became new objects. The other rows changed existing objects, or objects from earlier rows
  /// of the same import.
  public let inserted: Int
}
