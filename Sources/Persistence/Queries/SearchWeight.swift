/// The weight of an attribute in the ranking of the objects that match a search.
///
/// ```swift
/// let found = try objects.search(
///   Article.self, typed, weights: [SearchWeight(\.title, 10)])
/// ```
///
/// The default weight of a searchable attribute is 1.
public struct SearchWeight<Object: ManagedObject>: Sendable {
  let value: SearchWeightValue

  /// Creates a weight for a searchable attribute. A match in an attribute with a weight of 10 counts ten times as much
  /// as a match in an attribute with the default weight.
  public init(_ path: any KeyPath<Object, String> & Sendable, _ weight: Double) {
    value = SearchWeightValue(path: path, value: weight)
  }

  /// Creates a weight for an optional searchable attribute.
  public init(_ path: any KeyPath<Object, String?> & Sendable, _ weight: Double) {
    value = SearchWeightValue(path: path, value: weight)
  }
}

/// A weight without the type of its object.
struct SearchWeightValue: Sendable {
  let path: any AnyKeyPath & Sendable
  let value: Double
}
