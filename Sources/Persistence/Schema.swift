/// The model classes of a store.
///
/// ```swift
/// let schema = Schema(FamilyMember.self, Movie.self)
/// ```
///
/// Creating a schema creates one sample object of each class to discover its attributes. The classes are checked when a
/// container is opened with the schema. Opening throws ``PersistenceError/invalidSchema(_:)``, which names the class
/// and the property, if there are any of these problems:
///
/// - a class that is listed twice, or two classes with the same name
/// - more than 128 attributes and to-one relationships in a class
/// - an `init` that creates other managed objects
/// - two attributes with the same column name
/// - a relationship to a class that is not listed
/// - a relationship without an inverse, or whose inverse leads to another class or property
///
/// A store that was created for other classes is migrated when it is opened: see ``version(_:_:)``.
public struct Schema: Sendable {
  /// The version of the classes, assigned by the program. It starts at 1.
  public private(set) var version = 1
  private(set) var steps: [MigrationStep] = []
  let entities: [Entity]
  let joins: [JoinTable]
  private(set) var problems: [SchemaViolation]
  private let byType: [ObjectIdentifier: Entity]

  /// Creates a schema of these classes. Their order does not matter.
  public init(_ types: ManagedObject.Type...) { self.init(types) }

  /// Creates a schema of these classes. Their order does not matter.
  public init(_ types: [ManagedObject.Type]) {
    var fields = StoredFields(below: ManagedObject.self)
    let entities = types.enumerated().map { Entity($1, index: $0, &fields) }
    var linker = SchemaLinker(entities)
    linker.link()
    self.entities = entities
    joins = linker.joins
    problems = entities.flatMap(\.problems) + linker.problems
    byType = Dictionary(entities.map { (ObjectIdentifier($0.type), $0) }) { first, _ in first }
    for entity in entities { entity.finish() }
  }

  /// Returns a schema of the same classes with a version number and the steps that migrate older stores.
  ///
  /// Changes that can be detected by comparison need no step: added attributes with defaults, classes, relationships,
  /// indexes and uniqueness, and attributes that became optional. Changes that lose data (removed attributes,
  /// relationships and classes, and attributes that are no longer optional) are made only if this version is higher
  /// than the store's. The same applies to `steps`, which must be sorted by version. They run first, in the given
  /// order. Opening a store with a higher version fails with ``OpenFailure/Reason-swift.enum/tooNew``.
  public func version(_ version: Int, _ steps: [MigrationStep] = []) -> Schema {
    var result = self
    result.version = version
    result.steps = steps
    let versions = steps.map(\.version)
    if version < 1 || versions != versions.sorted() || versions.contains(where: { $0 < 2 || $0 > version }) {
      let text = "versions start at 1, and step versions must be in ascending order, from 2 to the schema's version"
      result.problems.append(SchemaViolation(type: "Schema", property: nil, text: text))
    }
    return result
  }

  func entity(of type: ManagedObject.Type) -> Entity? { byType[ObjectIdentifier(type)] }
}
