/// An index over several attributes of a class, or a combination of them that must be unique.
///
/// ```swift
/// final class Episode: ManagedObject {
///   @Attribute var season = 1
///   @Attribute var number = 1
///   override class var indexes: [AttributeIndex] { [.unique(\Episode.season, \Episode.number)] }
/// }
/// ```
///
/// To-one relationships may be among them. For a single attribute, ``AttributeOption/unique`` and
/// ``AttributeOption/indexed`` say the same.
public struct AttributeIndex {
  let keyPaths: [AnyKeyPath]
  let isUnique: Bool

  /// An index: it makes queries fast that compare the first of these, or the first and the second, and so on.
  public static func on<Object: ManagedObject>(_ keyPaths: PartialKeyPath<Object>...) -> AttributeIndex {
    AttributeIndex(keyPaths: keyPaths, isUnique: false)
  }

  /// No two objects of the class have the same combination of values. A combination with a nil in it does not count.
  public static func unique<Object: ManagedObject>(_ keyPaths: PartialKeyPath<Object>...) -> AttributeIndex {
    AttributeIndex(keyPaths: keyPaths, isUnique: true)
  }
}
