/// An index over several attributes of a class, or a combination of attributes that must be unique.
///
/// ```swift
/// final class Episode: ManagedObject {
///   @Attribute var season = 1
///   @Attribute var number = 1
///   override class var indexes: [AttributeIndex] {
///     [.unique(\Episode.season, \Episode.number)]
///   }
/// }
/// ```
///
/// An index can contain to-one relationships. For a single attribute, use ``AttributeOption/unique`` or
/// ``AttributeOption/indexed``.
public struct AttributeIndex {
  let keyPaths: [AnyKeyPath]
  let isUnique: Bool

  /// Creates an index. The index speeds up queries that compare the first of these properties, or the first and the
  /// second, and so on.
  public static func on<Object: ManagedObject>(_ keyPaths: PartialKeyPath<Object>...) -> AttributeIndex {
    AttributeIndex(keyPaths: keyPaths, isUnique: false)
  }

  /// Creates a uniqueness constraint. No two objects of the class may have the same combination of values, except for
  /// combinations that contain nil.
  public static func unique<Object: ManagedObject>(_ keyPaths: PartialKeyPath<Object>...) -> AttributeIndex {
    AttributeIndex(keyPaths: keyPaths, isUnique: true)
  }
}
