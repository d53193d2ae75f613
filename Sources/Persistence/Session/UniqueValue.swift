/// A property and its value. ``ObjectSpace/findOrInsert(_:_:)`` identifies an object by one or more of these values.
///
/// ```swift
/// let (episode, isInserted) = try objects.findOrInsert(
///   Episode.self, [.set(\.season, to: 2), .set(\.number, to: 7)])
/// ```
public struct UniqueValue<Object: ManagedObject> {
  enum Content {
    case value(StoredValue)
    case object(ManagedObject)
  }

  let path: any PropertyPath
  let content: Content

  /// An attribute and its value. The value cannot be nil, because more than one object can have nil as the value of a
  /// unique attribute.
  public static func set<Value: AttributeValue>(
    _ attribute: any KeyPath<Object, Value> & Sendable, to value: Value.Unwrapped
  ) -> Self {
    Self(path: attribute, content: .value(value._operand))
  }

  /// A to-one relationship and the object that it refers to.
  public static func set<Target: ManagedObject>(
    _ relationship: any KeyPath<Object, Target?> & Sendable, to object: Target
  ) -> Self {
    Self(path: relationship, content: .object(object))
  }
}

@available(*, unavailable, message: "it may contain an object, which lives in its context")
extension UniqueValue: Sendable {}
