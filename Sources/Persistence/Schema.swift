/// The model classes of a store.
///
/// ```swift
/// let schema = Schema(FamilyMember.self, Movie.self)
/// ```
///
/// Making a schema makes two samples of each class, to learn its attributes. The classes are checked when a container is
/// opened with the schema: what is wrong then is thrown as ``PersistenceError/invalidSchema(_:)``, which names class and
/// property. These things are wrong: a class that is listed twice, or two of the same name; more than 64 attributes and
/// to-one relationships in a class; an `init` that makes other managed objects; two attributes with the same column name;
/// a relationship to a class that is not listed; a relationship without an inverse, or whose inverse leads elsewhere.
public struct Schema: Sendable {
  let entities: [Entity]
  let joins: [JoinTable]
  let problems: [SchemaProblem]
  private let byType: [ObjectIdentifier: Entity]

  /// A schema of these classes. The order does not matter.
  public init(_ types: ManagedObject.Type...) { self.init(types) }

  /// A schema of these classes. The order does not matter.
  public init(_ types: [ManagedObject.Type]) {
    let entities = types.enumerated().map { Entity($1, index: $0) }
    var linker = SchemaLinker(entities)
    linker.link()
    self.entities = entities
    joins = linker.joins
    problems = entities.flatMap(\.problems) + linker.problems
    byType = Dictionary(entities.map { (ObjectIdentifier($0.type), $0) }) { first, _ in first }
    for entity in entities { entity.finish() }
  }

  func entity(of type: ManagedObject.Type) -> Entity? { byType[ObjectIdentifier(type)] }
}
