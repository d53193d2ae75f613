/// The result of an import.
public struct ImportReport: Sendable, Hashable {
  /// The number of imported rows.
  public let rows: Int
  /// The number of rows that became new objects. The other rows updated existing objects or objects that earlier rows
  /// of the same import had created.
  public let inserted: Int
}
