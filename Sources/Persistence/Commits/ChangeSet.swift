/// A value that describes the changes made by one commit: the changed objects of each class, with the old and new
/// values of their attributes.
///
/// ```swift
/// for await changes in container.commits {
///   for change in changes.changes(of: Movie.self) {
///     print(change.kind, change.id, change.attributes)
///   }
/// }
/// ```
///
/// For changes made without instantiating objects, such as bulk updates, the change set may contain only the ids of the
/// changed objects or, if there are very many of them, only their class. If only the class is known, ``affects(_:)``
/// returns true and ``isComplete(for:)`` returns false. An object that is inserted and deleted in the same commit is
/// not listed.
///
/// A change set is created for a commit only if another context of the container, a live result, a ``CommitSequence``
/// or the store's history needs it, or if the context itself needs it for ``ObjectContext/undo(isolation:)`` or
/// ``ObjectContext/preview(_:)``. A change set uses as much memory as the values that it contains. A commit that
/// creates no change set has no extra cost.
public struct ChangeSet: Sendable {
  let schema: Schema
  /// By class, in the order of the schema. Classes without changes are omitted.
  var entities: ContiguousArray<EntityChanges> = []
  /// Changes to many-to-many relationships and to orders.
  var links: ContiguousArray<LinkChange> = []

  init(_ schema: Schema) { self.schema = schema }

  /// Anything may have changed.
  init(everythingOf schema: Schema) {
    self.schema = schema
    entities = ContiguousArray(schema.entities.map { EntityChanges(everythingOf: $0) })
    links = ContiguousArray(schema.joins.map { .all(join: $0.index) })
  }

  /// Whether the change set contains no changes.
  public var isEmpty: Bool { entities.allSatisfy(\.isEmpty) && links.isEmpty }

  func changes(of entity: Entity) -> EntityChanges? { entities.first { $0.entity === entity } }
}

extension ChangeSet: CustomStringConvertible {
  /// The numbers of inserted, updated and deleted objects of each class. The description does not contain any of the
  /// objects' values.
  public var description: String {
    let classes = entities.filter { !$0.isEmpty }.map { changes in
      if changes.isWhole { return "\(changes.entity.name): unknown" }
      let counts = [("+", ObjectChangeKind.inserted), ("~", .updated), ("-", .deleted)].map { sign, kind in
        sign + String(changes.rows.count { $0.kind == kind })
      }
      return "\(changes.entity.name): \(counts.joined(separator: " "))"
    }
    return classes.isEmpty ? "no changes" : classes.joined(separator: ", ")
  }
}
