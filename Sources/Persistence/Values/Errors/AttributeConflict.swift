/// An attribute or to-one relationship that was changed both in this context and in another context.
public struct AttributeConflict: Sendable, Hashable {
  /// The name of the object's class.
  public let type: String
  /// The object's id.
  public let id: Int64
  /// The name of the attribute or relationship.
  public let attribute: String
  /// The original value, which both contexts replaced.
  public let base: StoredValue
  /// The new value in this context.
  public let mine: StoredValue
  /// The new value that the other context saved in the store.
  public let theirs: StoredValue
}

extension AttributeConflict: CustomStringConvertible {
  /// A description that names the object and the attribute, but does not contain the conflicting values.
  public var description: String { "\(type).\(attribute) of the object \(id)" }
}
