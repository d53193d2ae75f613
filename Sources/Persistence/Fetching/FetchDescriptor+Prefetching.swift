extension FetchDescriptor {
  /// Returns a copy of the request that also fetches the members of a to-many relationship.
  ///
  /// Prefetching runs one or two statements for all objects together. Without prefetching, one or two statements run
  /// for every ``batchSize`` objects.
  public func prefetching<Member: ManagedObject>(
    _ path: any KeyPath<Object, RelatedObjects<Member>> & Sendable
  ) -> FetchDescriptor {
    var request = self
    request.prefetched.append(path)
    return request
  }

  /// Returns a copy of the request that also fetches the objects that a to-one relationship refers to, with one
  /// additional statement.
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
    try self.table(of: relationship.target).hold(
      Set(objects.lazy.map { table.place(slot, of: $0).load(as: Int64.self) }))
  }
}
