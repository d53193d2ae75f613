/// The model classes of a store.
///
/// ```swift
/// let schema = Schema(FamilyMember.self, Movie.self)
/// ```
///
/// Making a schema makes a sample of each class, to learn its attributes. The classes are checked when a container is
/// opened with the schema: what is wrong then is thrown as ``PersistenceError/invalidSchema(_:)``, which names class
/// and property. These things are wrong: a class that is listed twice, or two of the same name; more than 128
/// attributes and to-one relationships in a class; an `init` that makes other managed objects; two attributes with the
/// same column name; a relationship to a class that is not listed; a relationship without an inverse, or whose inverse
/// leads elsewhere.
///
/// A store that was made for other classes is migrated when it is opened; ``version(_:_:)`` says more.
public struct Schema: Sendable {
  /// The version of the classes, by the program's own count. It begins with 1.
  public private(set) var version = 1
  private(set) var steps: [MigrationStep] = []
  let entities: [Entity]
  let joins: [JoinTable]
  private(set) var problems: [SchemaProblem]
  private let byType: [ObjectIdentifier: Entity]

  /// A schema of these classes. The order does not matter.
  public init(_ types: ManagedObject.Type...) { self.init(types) }

  /// A schema of these classes. The order does not matter.
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

  /// The same classes as a later version of a program has them, with what has to be known to migrate older stores.
  ///
  /// What can be found out by comparison needs no step: attributes with their defaults, classes, relationships, indexes
  /// and uniqueness that were added, attributes that have become optional. Whatever loses data (attributes,
  /// relationships and classes that are gone, attributes that are not optional any more) is done only for a version
  /// above the store's. So is what `steps` say; these come first, in the order given, which is that of their versions.
  /// A store of a higher version is not opened: ``OpenFailure/Reason-swift.enum/tooNew``.
  public func version(_ version: Int, _ steps: [MigrationStep] = []) -> Schema {
    var result = self
    result.version = version
    result.steps = steps
    let versions = steps.map(\.version)
    if version < 1 || versions != versions.sorted() || versions.contains(where: { $0 < 2 || $0 > version }) {
      let text = "versions begin with 1, and steps have versions from 2 to the schema's, in rising order"
      result.problems.append(SchemaProblem(type: "Schema", property: nil, text: text))
    }
    return result
  }

  func entity(of type: ManagedObject.Type) -> Entity? { byType[ObjectIdentifier(type)] }
}
