/// A row of a class, as a custom migration step sees it.
public struct MigrationRow: Sendable, Hashable {
  /// The object's id.
  public let id: Int64
  /// The values of attributes and to-one relationships, by column. A relationship has the id of its object.
  public let values: [String: StoredValue]

  /// A value; `null` if there is no such attribute.
  public subscript(_ attribute: String) -> StoredValue { values[attribute] ?? .null }
}
