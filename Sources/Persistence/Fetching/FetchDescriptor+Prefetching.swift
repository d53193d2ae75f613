extension FetchDescriptor {
  /// Returns the same request, extended to also fetch the members of a to-many relationship.
  ///
  /// Prefetching runs one or two statements for all objects together. Without prefetching, the same number of
  /// statements runs for every ``batchSize`` objects.
  public func prefetching<Member: ManagedObject>(
    _ path: any KeyPath<Object, RelatedObjects<Member>> & Sendable
  ) -> FetchDescriptor {
    var request = self
    request.prefetched.append(path)
    return request
  }

  /// Returns the same request, extended to also fetch the objects of a to-one relationship, with one statement.
  public func prefetching<Target: ManagedObject>(_ path: any KeyPath<Object, Target?> & Sendable) -> FetchDescriptor {
    var request = self
    request.prefetched.append(path)
    return request
  }
}

extension ObjectSpace {
  func prefetch<Object: ManagedObject>(
    _ paths: [any PropertyPath], of objects: [Object], _ table: EntityRegistry
  ) throws(PersistenceError) {
    // For all relationships together: none may be evicted when the next one is fetched.
    makeRoom(
      forRelationships: paths.reduce(0) { count, path in
        guard case .toMany(let relationship) = table.entity.property(at: path) else { return count }
        return count + objects.count { table.members(relationship, of: $0).pointee == nil }
      })
    for path in paths {
      switch table.entity.property(at: path) {
      case .toMany(let relationship):
        let owners = objects.filter { !$0.isDeleted && table.members(relationship, of: $0).pointee == nil }
        if !owners.isEmpty { try table.load(relationship, of: ContiguousArray<ManagedObject>(owners)) }
      case .toOne(let relationship):
        try prefetch(relationship, of: objects, table)
      default: throw .unsupportedQuery(.unknown(path, in: table.entity))
      }
    }
  }

  /// The space holds the target objects until the closure ends.
  private func prefetch(
    _ relationship: Relationship, of objects: [ManagedObject], _ table: EntityRegistry
  ) throws(PersistenceError) {
    guard let slot = relationship.declaration.slot else { return }
    let targets = self.table(of: relationship.target)
    var missing: Set<Int64> = []
    for object in objects {
      let id = table.place(slot, of: object).load(as: Int64.self)
      if id != 0, targets.map.object(id) == nil { missing.insert(id) }
    }
    guard !missing.isEmpty else { return }
    for object in try targets.fetch(missing.sorted()) { loaded.hold(object) }
  }
}
