/// The change to an attribute or to-one relationship since its object was last saved, or in a commit.
///
/// The values are in their stored forms, but a `Decimal` is given as its digits, such as `-12.5`. To read the values in
/// the attribute's own type, use ``ObjectChange/values(of:)`` or create them with `init(stored:)`.
public struct AttributeChange: Sendable, Hashable {
  /// The name of the attribute or relationship.
  public let attribute: String
  /// The value in the store, or `null` for an object that is not stored yet.
  public let old: StoredValue
  /// The current value.
  public let new: StoredValue

  init(_ column: Column, old: StoredValue, new: StoredValue) {
    (attribute, self.old, self.new) = (column.property, column.readable(old), column.readable(new))
  }
}
