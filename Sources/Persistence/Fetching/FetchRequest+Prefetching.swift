extension FetchRequest {
  /// The same request, which also fetches the members of a to-many relationship: all of them with one or two
  /// statements, where otherwise each ``batchSize`` of the objects would take as many.
  public func prefetching<Member: ManagedObject>(
    _ path: any KeyPath<Object, Related<Member>> & Sendable
  ) -> FetchRequest {
    var request = self
    request.prefetched.append(path)
    return request
  }

  /// The same request, which also fetches the objects that a to-one relationship leads to, with one statement.
  public func prefetching<Target: ManagedObject>(_ path: any KeyPath<Object, Target?> & Sendable) -> FetchRequest {
    var request = self
    request.prefetched.append(path)
    return request
  }
}

extension ObjectSpace {
  func prefetch<Object: ManagedObject>(
    _ paths: [any PropertyPath], of objects: [Object], _ table: ObjectTable
  ) throws(PersistenceError) {
    // For all at once: none may leave memory when the next one is fetched.
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
      default: throw .refused(.unknown(path, in: table.entity))
      }
    }
  }

  /// What a to-one leads to is held by the space until the closure ends.
  private func prefetch(
    _ relationship: Relationship, of objects: [ManagedObject], _ table: ObjectTable
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
