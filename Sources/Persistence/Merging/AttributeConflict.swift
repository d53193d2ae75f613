/// An attribute, or to-one relationship, for which both this context and somebody else have a new value.
public struct AttributeConflict: Sendable, Hashable {
  /// The class.
  public let type: String
  /// The object.
  public let id: Int64
  /// The property.
  public let attribute: String
  /// The value that both began with.
  public let base: StoredValue
  /// The value in this context.
  public let mine: StoredValue
  /// The value in the store.
  public let theirs: StoredValue
}

extension AttributeConflict: CustomStringConvertible {
  /// Object and attribute. Values are not told.
  public var description: String { "\(type).\(attribute) of the object \(id)" }
}
