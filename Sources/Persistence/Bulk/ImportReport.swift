/// What an import has done.
public struct ImportReport: Sendable, Hashable {
  /// How many rows there were.
  public let rows: Int
  /// How many of them became new objects. The others have changed objects that were there, or that came before in the
  /// same import.
  public let inserted: Int
}
