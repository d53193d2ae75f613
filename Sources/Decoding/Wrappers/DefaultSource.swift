/// A type that provides a default value for ``Default``.
public protocol DefaultSource {
  /// The type of the property.
  associatedtype Value: Decodable

  /// The default value.
  static var value: Value { get }
}
