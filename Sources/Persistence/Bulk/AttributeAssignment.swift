/// A value that ``ObjectSpace/update(_:where:set:)-(_,Query<Object>,_)`` gives an attribute of many objects.
///
/// ```swift
/// try objects.update(Movie.self, where: \.year < 1930, set: [.set(\.isSilent, to: true)])
/// ```
public struct AttributeAssignment<Object: ManagedObject> {
  let keyPath: AnyKeyPath
  let value: StoredValue

  /// An attribute's value.
  public static func set<Value: AttributeValue>(_ attribute: KeyPath<Object, Value>, to value: Value) -> Self {
    Self(keyPath: attribute, value: value.stored)
  }
}
