/// An attribute or to-one relationship for which both this context and another context have a new value.
public struct AttributeConflict: Sendable, Hashable {
  /// The class.
  public let type: String
  /// The object's id.
  public let id: Int64
  /// The property.
  public let attribute: String
  /// The value before both changes.
  public let base: StoredValue
  /// The value in this context.
  public let mine: StoredValue
  /// The value in the store.
  public let theirs: StoredValue
}

extension AttributeConflict: CustomStringConvertible {
  /// Names the object and the attribute, but not the conflicting values.
  public var description: String { "\(type).\(attribute) of the object \(id)" }
}
