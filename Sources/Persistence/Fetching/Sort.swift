/// One thing to sort fetched objects by.
///
/// ```swift
/// try objects.fetch(Movie.self, sort: [.descending(\.popularity), .ascending(\.title)])
/// ```
///
/// Text sorts by its UTF-8 bytes, `false` before `true`, and nil before everything else. Objects that are equal in all
/// respects are sorted by their ids, so that the order is always the same.
public struct Sort<Object: ManagedObject>: Sendable {
  let keyPath: any PartialKeyPath<Object> & Sendable
  let isDescending: Bool

  /// From the smallest value to the largest.
  public static func ascending<Value: AttributeValue>(_ keyPath: any KeyPath<Object, Value> & Sendable) -> Sort {
    Sort(keyPath: keyPath, isDescending: false)
  }

  /// From the largest value to the smallest.
  public static func descending<Value: AttributeValue>(_ keyPath: any KeyPath<Object, Value> & Sendable) -> Sort {
    Sort(keyPath: keyPath, isDescending: true)
  }
}
