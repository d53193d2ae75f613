extension ChangeSet {
  /// The changes of a class's objects, in the order of their ids.
  public func changes<Object: ManagedObject>(of type: Object.Type) -> [ObjectChange<Object>] {
    guard let changes = changes(of: type) else { return [] }
    return changes.rows.map { ObjectChange($0, in: changes) }
  }

  /// The objects that were inserted, in the order of their ids.
  public func inserted<Object: ManagedObject>(_ type: Object.Type) -> [ObjectID<Object>] { ids(.inserted, type) }

  /// The objects that were changed, in the order of their ids.
  public func updated<Object: ManagedObject>(_ type: Object.Type) -> [ObjectID<Object>] { ids(.updated, type) }

  /// The objects that were deleted, in the order of their ids.
  public func deleted<Object: ManagedObject>(_ type: Object.Type) -> [ObjectID<Object>] { ids(.deleted, type) }

  /// What has happened to one object, if anything that is known. It takes a binary search.
  public func change<Object: ManagedObject>(of id: ObjectID<Object>) -> ObjectChange<Object>? {
    guard let changes = changes(of: Object.self), let row = changes.row(id.rawValue) else { return nil }
    return ObjectChange(row, in: changes)
  }

  /// Whether objects of a class have changed, or may have.
  public func concerns(_ type: ManagedObject.Type) -> Bool { changes(of: type).map { !$0.isEmpty } ?? false }

  /// Whether all changes of a class are told, and not only that there may be some.
  public func isComplete(for type: ManagedObject.Type) -> Bool { changes(of: type).map { !$0.isWhole } ?? true }

  private func changes(of type: ManagedObject.Type) -> EntityChanges? {
    entities.first { $0.entity.type == type }
  }

  private func ids<Object: ManagedObject>(_ kind: ObjectChangeKind, _ type: Object.Type) -> [ObjectID<Object>] {
    guard let changes = changes(of: type) else { return [] }
    return changes.rows.lazy.filter { $0.kind == kind }.map { ObjectID(rawValue: $0.id) }
  }
}
