/// One of the property values that identify an object, for use with ``ObjectSpace/findOrInsert(_:_:)``.
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

  /// An attribute's value. It cannot be nil, because nil does not identify an object.
  public static func set<Value: AttributeValue>(
    _ attribute: any KeyPath<Object, Value> & Sendable, to value: Value.Unwrapped
  ) -> Self {
    Self(path: attribute, content: .value(value._operand))
  }

  /// The object that a to-one relationship refers to.
  public static func set<Target: ManagedObject>(
    _ relationship: any KeyPath<Object, Target?> & Sendable, to object: Target
  ) -> Self {
    Self(path: relationship, content: .object(object))
  }
}

@available(*, unavailable, message: "it may contain an object, which lives in its context")
extension UniqueValue: Sendable {}
