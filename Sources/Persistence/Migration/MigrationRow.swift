/// A row of a class, as it appears to a custom migration step.
public struct MigrationRow: Sendable, Hashable {
  /// The object's id.
  public let id: Int64
  /// The values of attributes and to-one relationships, by column. A relationship's value is the id of the related
  /// object.
  public let values: [String: StoredValue]

  /// The value of an attribute, or `null` if the attribute does not exist.
  public subscript(_ attribute: String) -> StoredValue { values[attribute] ?? .null }
}
