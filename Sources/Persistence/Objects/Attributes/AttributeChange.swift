/// What has happened to an attribute, or a to-one relationship, since its object was last saved.
public struct AttributeChange: Sendable, Hashable {
  /// The property.
  public let attribute: String
  /// The value in the store; for an object that is not stored yet, `null`.
  public let old: StoredValue
  /// The value now.
  public let new: StoredValue
}
