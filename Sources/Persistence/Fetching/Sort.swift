/// One sort key for fetched objects.
///
/// ```swift
/// try objects.fetch(Movie.self, sort: [.descending(\.popularity), .ascending(\.title)])
/// ```
///
/// Strings sort by their UTF-8 bytes, `false` sorts before `true`, and nil sorts before everything else. Objects with
/// equal values for all keys are sorted by id, which makes the order deterministic.
public struct Sort<Object: ManagedObject>: Sendable {
  let keyPath: any PartialKeyPath<Object> & Sendable
  let isDescending: Bool

  /// Sorts from the smallest value to the largest.
  public static func ascending<Value: AttributeValue>(_ keyPath: any KeyPath<Object, Value> & Sendable) -> Sort {
    Sort(keyPath: keyPath, isDescending: false)
  }

  /// Sorts from the largest value to the smallest.
  public static func descending<Value: AttributeValue>(_ keyPath: any KeyPath<Object, Value> & Sendable) -> Sort {
    Sort(keyPath: keyPath, isDescending: true)
  }
}
