/// The changes made by one commit, as a value: the changed objects of each class, with the old and new values of their
/// attributes.
///
/// ```swift
/// for await changes in container.commits {
///   for change in changes.changes(of: Movie.self) {
///     print(change.kind, change.id, change.attributes)
///   }
/// }
/// ```
///
/// Changes made without instantiating objects may be listed by id alone or, if there are very many of them, by class
/// alone. ``affects(_:)`` takes all of these changes into account, and ``isComplete(for:)`` is false for a class whose
/// changes are not listed by id. An object that one commit both inserts and deletes is not listed.
///
/// A commit creates a change set only if something uses it: another context of the container, a live result, a
/// ``CommitSequence``, the store's history, or the context itself for ``ObjectContext/undo()`` or
/// ``ObjectContext/preview(_:)``. A change set uses as much memory as its values. If no change set is created, there is
/// no cost.
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

  /// Whether nothing has changed.
  public var isEmpty: Bool { entities.allSatisfy(\.isEmpty) && links.isEmpty }

  func changes(of entity: Entity) -> EntityChanges? { entities.first { $0.entity === entity } }
}

extension ChangeSet: CustomStringConvertible {
  /// The number of objects of each class that were inserted, updated and deleted, without any of their values.
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
