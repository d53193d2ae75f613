/// A row of a class, as a custom migration step sees it.
public struct MigrationRow: Sendable, Hashable {
  /// The object's id.
  public let id: Int64
  /// The values of attributes and to-one relationships, by column. The value of a relationship is the id of its object.
  public let values: [String: StoredValue]

  /// The value of an attribute, or `null` if the attribute does not exist.
  public subscript(_ attribute: String) -> StoredValue { values[attribute] ?? .null }
}
