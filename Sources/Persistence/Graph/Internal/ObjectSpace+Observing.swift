extension ObjectSpace {
  /// Makes this space's objects notify those that read them, from now on.
  func observeObjects() {
    guard observed == nil else { return }
    let observed = ObservedObjects()
    self.observed = observed
    for registry in registries {
      registry.observed = .passUnretained(observed)
      for object in registry.map.objects() { object._state |= ObjectState.watched }
      registry.deletedObjects.forEach { $0._state |= ObjectState.watched }
    }
  }

  /// Makes an edit in several steps, and notifies observers when it is made.
  @inline(__always) func editing(_ body: () -> Void) {
    if let observed { observed.whileEditing(body) } else { body() }
  }

  /// Notes that every to-many relationship may have changed.
  func noteAllMembers() {
    guard observed != nil else { return }
    for relationship in registries.lazy.flatMap(\.entity.toMany) { noteMembers(relationship) }
  }

  /// Notes that everything may be read differently: what was read while the store was suspended appeared empty.
  func noteEverything() {
    guard observed != nil else { return }
    for registry in registries { for object in registry.map.objects() { registry.noteEverything(of: object) } }
  }

  /// Notes that a to-many relationship may have changed for any owner.
  func noteMembers(_ relationship: Relationship) {
    guard observed != nil else { return }
    let registry = registry(of: relationship.entity)
    for owner in registry.map.objects() { registry.noteMembers(relationship, of: owner) }
  }

  /// Notes that a to-many relationship of an owner may have changed.
  func noteMembers(_ relationship: Relationship, of owner: Int64) {
    let registry = registry(of: relationship.entity)
    if observed != nil, let owner = registry.map.object(owner) { registry.noteMembers(relationship, of: owner) }
  }
}

extension EntityRegistry {
  @inline(__always) func note(_ object: ManagedObject, _ property: Int) {
    if object._state & ObjectState.watched != 0 { space.observed?.note(object, property) }
  }

  func noteMembers(_ relationship: Relationship, of owner: ManagedObject) {
    if let relation = relationship.declaration.relation { note(owner, ObjectState.firstRelation + relation) }
  }

  /// Notes that every property may have changed.
  func noteEverything(of object: ManagedObject) {
    guard object._state &>> ObjectState.observerShift != 0 else { return }
    for slot in entity.columns.indices { note(object, slot) }
    for relationship in entity.toMany { noteMembers(relationship, of: object) }
  }
}
