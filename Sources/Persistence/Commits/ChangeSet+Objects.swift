extension ChangeSet {
  /// Returns the changes to objects of a class, sorted by id.
  public func changes<Object: ManagedObject>(of type: Object.Type) -> [ObjectChange<Object>] {
    guard let changes = changes(of: type) else { return [] }
    return changes.rows.map { ObjectChange($0, in: changes) }
  }

  /// Returns the ids of the inserted objects of a class, in ascending order.
  public func inserted<Object: ManagedObject>(_ type: Object.Type) -> [ObjectID<Object>] { ids(.inserted, type) }

  /// Returns the ids of the updated objects of a class, in ascending order.
  public func updated<Object: ManagedObject>(_ type: Object.Type) -> [ObjectID<Object>] { ids(.updated, type) }

  /// Returns the ids of the deleted objects of a class, in ascending order.
  public func deleted<Object: ManagedObject>(_ type: Object.Type) -> [ObjectID<Object>] { ids(.deleted, type) }

  /// Returns the change to one object, or nil if the change set does not list the object.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of changed objects of the class.
  public func change<Object: ManagedObject>(of id: ObjectID<Object>) -> ObjectChange<Object>? {
    guard let changes = changes(of: Object.self), let row = changes.row(id.rawValue) else { return nil }
    return ObjectChange(row, in: changes)
  }

  /// Returns whether any objects of a class have changed or might have changed.
  public func affects(_ type: ManagedObject.Type) -> Bool { changes(of: type).map { !$0.isEmpty } ?? false }

  /// Returns whether the change set lists every change to objects of a class. If the result is false, the change set
  /// indicates only that some objects of the class might have changed.
  public func isComplete(for type: ManagedObject.Type) -> Bool { changes(of: type).map { !$0.isWhole } ?? true }

  private func changes(of type: ManagedObject.Type) -> EntityChanges? {
    entities.first { $0.entity.type == type }
  }

  private func ids<Object: ManagedObject>(_ kind: ObjectChangeKind, _ type: Object.Type) -> [ObjectID<Object>] {
    guard let changes = changes(of: type) else { return [] }
    return changes.rows.lazy.filter { $0.kind == kind }.map { ObjectID(rawValue: $0.id) }
  }
}
