/// The model classes of a store.
///
/// ```swift
/// let schema = Schema(FamilyMember.self, Movie.self)
/// ```
///
/// The initializer of a schema creates one sample object of each class to discover the attributes of the class. The
/// classes are checked when a container is opened with the schema. If one of the following problems is found, opening
/// throws ``PersistenceError/invalidSchema(_:)``, which names the class and the property:
///
/// - a class that is listed twice, or two classes with the same name
/// - more than 128 attributes and to-one relationships in a class
/// - an `init` that creates other managed objects
/// - two attributes with the same column name
/// - a relationship to a class that is not listed
/// - a relationship without an inverse, or with an inverse that refers to a different class or property
///
/// If a store was created for different classes, it is migrated when it is opened. ``version(_:_:)`` describes which
/// changes need a higher version.
public struct Schema: Sendable {
  /// The version number that the program assigns to the classes, starting at 1.
  public private(set) var version = 1
  private(set) var steps: [MigrationStep] = []
  let entities: [Entity]
  let joins: [JoinTable]
  var problems: [SchemaViolation]
  /// The classes of which stores keep what their objects were before their changes.
  package internal(set) var trackedClasses: [TrackedClassDescription] = []
  private let byType: [ObjectIdentifier: Entity]

  /// Creates a schema from the given classes. The order of the classes does not matter.
  public init(_ types: ManagedObject.Type...) { self.init(types) }

  /// Creates a schema from the given classes. The order of the classes does not matter.
  public init(_ types: [ManagedObject.Type]) {
    var fields = StoredFields(below: ManagedObject.self)
    let entities = types.enumerated().map { Entity($1, index: $0, &fields) }
    for entity in entities {
      let resolver = IndexResolver(entity)
      entity.finish(with: resolver.columns, resolver.indexes, resolver.problems)
    }
    var linker = SchemaLinker(entities)
    linker.link()
    self.entities = entities
    joins = linker.joins
    problems = entities.flatMap(\.problems) + linker.problems
    byType = Dictionary(entities.map { (ObjectIdentifier($0.type), $0) }) { first, _ in first }
  }

  /// Returns a schema for the same classes with a version number and the steps that migrate older stores.
  ///
  /// No step is needed for changes that can be detected by comparing the store with the classes: added attributes with
  /// default values, added classes, relationships, indexes and uniqueness constraints, and attributes that have become
  /// optional. Changes that lose data (removed attributes, relationships and classes, and attributes that are no longer
  /// optional) are made only if `version` is higher than the store's version.
  ///
  /// The steps must be sorted by version. A migration first runs the steps with a higher version than the store, in the
  /// given order, and then makes the changes that it has detected. Opening a store that has a higher version than the
  /// schema fails with ``OpenFailure/Reason-swift.enum/tooNew``.
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

  /// The relationships whose members are in a join table.
  func sides(of join: JoinTable) -> [Relationship] {
    entities.flatMap(\.toMany).filter {
      if case .join(let other, _, _) = $0.storage { other === join } else { false }
    }
  }

  var searchTables: [SearchTable] { entities.compactMap(\.searchTable) }
}
