/// What one commit has changed, as a value: which objects of which classes, with the old and the new values of their
/// attributes.
///
/// ```swift
/// for await changes in container.commits {
///   for change in changes.changes(of: Movie.self) { print(change.kind, change.id, change.attributes) }
/// }
/// ```
///
/// Changes that were made without objects may be told by ids alone, or, where there are very many of them, by class
/// alone: ``concerns(_:)`` covers all of them, ``isComplete(for:)`` tells. An object that was inserted and deleted by
/// the same commit is not mentioned.
///
/// A change set is made of a commit only if somebody wants it: another context of the container, a live result or a
/// ``CommitSequence``, the store's history, or the context itself, for ``ObjectContext/undo()`` or
/// ``ObjectContext/preview(_:)``. It costs what its values take, and where nobody wants it, nothing.
public struct ChangeSet: Sendable {
  let schema: Schema
  /// By class, in the order of the schema; classes without changes are missing.
  var entities: ContiguousArray<EntityChanges> = []
  /// Changes of many-to-many relationships, and of orders.
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
  /// How many objects of each class were inserted, updated and deleted. Values are not told.
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
