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
    _ paths: [any PropertyPath], of objects: [Object], _ registry: EntityRegistry
  ) throws(PersistenceError) {
    // For all relationships together: none may be evicted when the next one is fetched.
    makeRoom(
      forRelationships: paths.reduce(0) { count, path in
        guard case .toMany(let relationship) = registry.entity.property(at: path) else { return count }
        return count + objects.count { registry.members(relationship, of: $0).pointee == nil }
      })
    for path in paths {
      switch registry.entity.property(at: path) {
      case .toMany(let relationship):
        let owners = objects.filter { !$0.isDeleted && registry.members(relationship, of: $0).pointee == nil }
        if !owners.isEmpty { try registry.load(relationship, of: ContiguousArray<ManagedObject>(owners)) }
      case .toOne(let relationship):
        try prefetch(relationship, of: objects, registry)
      default: throw .unsupportedQuery(.unknown(path, in: registry.entity))
      }
    }
  }

  /// The space holds the target objects until the closure ends.
  private func prefetch(
    _ relationship: Relationship, of objects: [ManagedObject], _ registry: EntityRegistry
  ) throws(PersistenceError) {
    guard let slot = relationship.declaration.slot else { return }
    try self.registry(of: relationship.target).hold(
      Set(objects.lazy.map { registry.address(of: slot, in: $0).load(as: Int64.self) }))
  }
}
