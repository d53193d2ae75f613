extension ChangeSet {
  /// Returns the changes to objects of a class, sorted by id.
  public func changes<Object: ManagedObject>(of type: Object.Type) -> [ObjectChange<Object>] {
    guard let changes = changes(of: type) else { return [] }
    return changes.rows.map { ObjectChange($0, in: changes) }
  }

  /// Returns the ids of the inserted objects, sorted.
  public func inserted<Object: ManagedObject>(_ type: Object.Type) -> [ObjectID<Object>] { ids(.inserted, type) }

  /// Returns the ids of the changed objects, sorted.
  public func updated<Object: ManagedObject>(_ type: Object.Type) -> [ObjectID<Object>] { ids(.updated, type) }

  /// Returns the ids of the deleted objects, sorted.
  public func deleted<Object: ManagedObject>(_ type: Object.Type) -> [ObjectID<Object>] { ids(.deleted, type) }

  /// Returns the change to one object, or nil if the change set does not list the object. The lookup is a binary
  /// search.
  public func change<Object: ManagedObject>(of id: ObjectID<Object>) -> ObjectChange<Object>? {
    guard let changes = changes(of: Object.self), let row = changes.row(id.rawValue) else { return nil }
    return ObjectChange(row, in: changes)
  }

  /// Returns whether objects of a class have changed or may have changed.
  public func affects(_ type: ManagedObject.Type) -> Bool { changes(of: type).map { !$0.isEmpty } ?? false }

  /// Returns whether the change set lists every change to objects of a class. If it does not, the change set indicates
  /// only that objects of the class may have changed.
  public func isComplete(for type: ManagedObject.Type) -> Bool { changes(of: type).map { !$0.isWhole } ?? true }

  private func changes(of type: ManagedObject.Type) -> EntityChanges? {
    entities.first { $0.entity.type == type }
  }

  private func ids<Object: ManagedObject>(_ kind: ObjectChangeKind, _ type: Object.Type) -> [ObjectID<Object>] {
    guard let changes = changes(of: type) else { return [] }
    return changes.rows.lazy.filter { $0.kind == kind }.map { ObjectID(rawValue: $0.id) }
  }
}
