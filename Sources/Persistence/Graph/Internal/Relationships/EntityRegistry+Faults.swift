extension EntityRegistry {
  /// Returns the objects that load a relationship together with `owner`: those of its batch, if it was fetched or
  /// inserted with others. An object that was fetched alone is served alone, however often that happens, because it may
  /// be the only one needed.
  private func owners(with owner: ManagedObject) -> ContiguousArray<ManagedObject> {
    switch space.together.batch(with: owner._id, of: entity) {
    case .ids(let batch): return ContiguousArray(batch.lazy.compactMap(map.object))
    case .neighbours(let count): return neighbours(of: owner, count) { _ in true }
    case nil:
      if owner._state & ObjectState.fresh == 0 { return [owner] }
      return neighbours(of: owner, FetchedTogether.batchSize) { $0._state & ObjectState.fresh != 0 }
    }
  }

  /// Returns at most `count` objects in memory with ids near that of `object`, in fixed groups like the batches of a
  /// fetch.
  private func neighbours(
    of object: ManagedObject, _ count: Int, where isOne: (ManagedObject) -> Bool
  ) -> ContiguousArray<ManagedObject> {
    let first = object._id & ~1023
    let near = map.objects(in: first...(first | 1023)).filter(isOne)
    guard let index = near.firstIndex(where: { $0 === object }) else { return [object] }
    return ContiguousArray(near[(index - index % count)...].prefix(count))
  }

  /// Fetches the members of a to-many relationship, for its owner and similar owners in memory.
  func fault(_ relationship: Relationship, of owner: ManagedObject) throws(PersistenceError) {
    space.faults.record(relationship.path)
    var known: Set<Int64> = []
    let owners = ContiguousArray(
      owners(with: owner).filter {
        known.insert($0._id).inserted && ($0 === owner || !$0.isDeleted && members(relationship, of: $0).pointee == nil)
      })
    space.makeRoom(forRelationships: owners.count)
    try load(relationship, of: owners)
  }

  /// Answers a question about the members of an owner, which are not in memory. If the answer is not known yet, the
  /// question is asked for the owners that would load their members together, too.
  func ask(_ question: MemberAnswers.Question, _ relationship: Relationship, of owner: ManagedObject) -> Int64 {
    if owner._state & ObjectState.making != 0 { return 0 }
    if space.isIsolated {
      if space.unit.phase == .idle { space.answers.removeOutdated(space.store.commits.published) }
      if let known = space.answers[question, relationship, owner._id] { return known }
    }
    do {
      return try space.reading { () throws(PersistenceError) in
        let pending = try space.beginQuery()
        let owners = owners(with: owner).filter {
          $0 === owner
            || !$0.isDeleted && space.answers[question, relationship, $0._id] == nil
              && members(relationship, of: $0).pointee == nil
        }
        let statement = try space.connection.statement(
          "SELECT value,\(relationship.answer(to: question, of: "_larder_owners.value", pending)) "
            + "FROM json_each(?1) AS _larder_owners")
        try statement.bind([.text(SQL.json(owners.map(\._id)))])
        var found: [Int64: Int64] = [:]
        while try statement.step() { found[statement.int64(0)] = statement.int64(1) }
        for (owner, answer) in found { space.answers[question, relationship, owner] = answer }
        if question == .first { try space.registry(of: relationship.target).hold(Set(found.values)) }
        return found[owner._id] ?? 0
      }
    } catch {
      space.failReading(error)
      return 0
    }
  }

  /// Whether the store has a pair. This is asked for one owner at a time: each member is another question.
  func hasMember(_ member: Int64, _ relationship: Relationship, of owner: ManagedObject) -> Bool {
    if owner._state & ObjectState.making != 0 { return false }
    do {
      return try space.reading { () throws(PersistenceError) in
        let condition = "\(relationship.ownerColumn)=?1 AND \(relationship.memberColumn)=?2"
        let rows = relationship.rows(try space.beginQuery(), where: condition)
        let statement = try space.connection.statement("SELECT EXISTS(SELECT 1\(rows))")
        try statement.bind([.integer(owner._id), .integer(member)])
        return try statement.integer() == 1
      }
    } catch {
      space.failReading(error)
      return false
    }
  }

  /// Fetches those of the objects that are not in memory. The space holds them for a while.
  func hold(_ ids: Set<Int64>) throws(PersistenceError) {
    let missing = ids.filter { $0 != 0 && map.object($0) == nil }
    if missing.isEmpty { return }
    for object in try fetch(missing.sorted()) { space.loaded.hold(object) }
  }

  /// Fetches the members of all owners with a single statement. The caller must make space for them first.
  func load(_ relationship: Relationship, of owners: ContiguousArray<ManagedObject>) throws(PersistenceError) {
    let members = space.registry(of: relationship.target)
    try space.reading { () throws(PersistenceError) in
      let pairs = try pairs(relationship, owners.map(\._id), space.beginQuery())
      var groups: [Int64: ContiguousArray<ManagedObject>] = [:]
      groups.reserveCapacity(owners.count)
      switch relationship.storage {
      case .inverseColumn(let slot):
        let statement = try space.connection.statement(pairs.sql)
        try statement.bind(pairs.arguments)
        var current: ContiguousArray<ManagedObject> = []
        var key: Int64 = 0
        // Most owners have about as many members as the previous one.
        var expected = 0
        _ = try members.rows(of: statement) { (object: consuming ManagedObject) in
          // The member's foreign key identifies its owner. The rows are sorted by it.
          let owner = members.address(of: slot, in: object).load(as: Int64.self)
          if owner != key {
            if key != 0 { groups[key] = current }
            expected = current.count
            current = groups[owner] ?? []
            current.reserveCapacity(expected)
            key = owner
          }
          current.append(object)
        }
        if key != 0 { groups[key] = current }
      default:
        groups = try loadPairs(relationship, members, pairs)
      }
      for owner in owners { setLoaded(relationship, of: owner, groups[owner._id] ?? []) }
      space.together.add(owners.lazy.compactMap { groups[$0._id] }, of: members.entity)
    }
  }

  private func pairs(
    _ relationship: Relationship, _ owners: [Int64], _ pending: PendingTables
  ) -> (sql: String, arguments: [StoredValue]) {
    let ids = owners.count == 1 ? "=?1" : " IN (SELECT value FROM json_each(?1))"
    let argument: StoredValue = owners.count == 1 ? .integer(owners[0]) : .text(SQL.json(owners))
    let owner = relationship.ownerColumn
    let columns: String
    if case .join = relationship.storage {
      columns = "\(owner),\(relationship.memberColumn)"
    } else {
      columns = relationship.target.selection
    }
    let rows = relationship.rows(pending, where: owner + ids)
    return ("SELECT \(columns)\(rows) ORDER BY \(owner),\(relationship.memberOrder)", [argument])
  }

  /// Fetches the members of a many-to-many relationship: first the pairs, then the objects that are not in memory.
  private func loadPairs(
    _ relationship: Relationship, _ members: EntityRegistry, _ pairs: (sql: String, arguments: [StoredValue])
  ) throws(PersistenceError) -> [Int64: ContiguousArray<ManagedObject>] {
    var found: ContiguousArray<(owner: Int64, member: Int64)> = []
    let statement = try space.connection.statement(pairs.sql)
    try statement.bind(pairs.arguments)
    while try statement.step() { found.append((statement.int64(0), statement.int64(1))) }
    let missing = Set(found.lazy.map(\.member).filter { members.map.object($0) == nil })
    // Retained until the owners retain them.
    let fetched = missing.isEmpty ? [] : try members.fetch(missing.sorted())
    var groups: [Int64: ContiguousArray<ManagedObject>] = [:]
    for pair in found {
      if let object = members.map.object(pair.member) { groups[pair.owner, default: []].append(object) }
    }
    withExtendedLifetime(fetched) {}
    return groups
  }

  /// Fetches the target of a to-one relationship of `object`, together with the targets for objects fetched with it.
  func fault(
    _ id: Int64, _ relationship: Relationship, from object: ManagedObject, _ slot: Int, in owners: EntityRegistry
  ) throws(PersistenceError) -> ManagedObject? {
    var ids: Set<Int64> = [id]
    space.faults.record(relationship.path)
    for other in owners.owners(with: object) {
      let reference = owners.address(of: slot, in: other).load(as: Int64.self)
      if reference != 0, map.object(reference) == nil { ids.insert(reference) }
    }
    guard ids.count > 1 else {
      let found = try fetch(id)
      if let found { space.loaded.hold(found) }
      return found
    }
    for found in try fetch(ids.sorted()) { space.loaded.hold(found) }
    return map.object(id)
  }
}

extension Relationship {
  /// The expression that answers a question about the members whose owner is `owner`.
  fileprivate func answer(to question: MemberAnswers.Question, of owner: String, _ pending: PendingTables) -> String {
    let rows = rows(pending, where: "\(ownerColumn)=\(owner)")
    return switch question {
    case .count: "(SELECT count(*)\(rows))"
    case .first: "(SELECT \(memberColumn)\(rows) ORDER BY \(memberOrder) LIMIT 1)"
    case .exists: "EXISTS(SELECT 1\(rows))"
    }
  }
}
