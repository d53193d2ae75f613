/// The change to an attribute or to-one relationship since its object was last saved.
public struct AttributeChange: Sendable, Hashable {
  /// The property.
  public let attribute: String
  /// The value in the store, or `null` for an object that is not stored yet.
  public let old: StoredValue
  /// The current value.
  public let new: StoredValue
}
