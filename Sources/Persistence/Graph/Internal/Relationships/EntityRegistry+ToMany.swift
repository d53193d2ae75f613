extension EntityRegistry {
  /// Returns the members, and fetches them if they are not in memory.
  func members(of owner: ManagedObject, by relationship: Relationship) -> ContiguousArray<ManagedObject> {
    do {
      return try readMembers(relationship, of: owner)
    } catch {
      space.failReading(error)
      return []
    }
  }

  private func readMembers(
    _ relationship: Relationship, of owner: ManagedObject
  ) throws(PersistenceError) -> ContiguousArray<ManagedObject> {
    if let set = members(relationship, of: owner).pointee { return set.objects }
    if owner._state & ObjectState.making != 0 { return [] }
    try fault(relationship, of: owner)
    return members(relationship, of: owner).pointee?.objects ?? []
  }

  /// Returns the members for an edit that depends on them, or nil if it must not be made.
  private func membersToEdit(
    _ relationship: Relationship, of owner: ManagedObject, for kind: @autoclosure () -> RefusedEdit.Kind
  ) -> ContiguousArray<ManagedObject>? {
    readToEdit(relationship, of: owner, for: kind()) { () throws(PersistenceError) in
      try readMembers(relationship, of: owner)
    }
  }

  func memberCount(of owner: ManagedObject, by relationship: Relationship) -> Int {
    if let set = members(relationship, of: owner).pointee { return set.objects.count }
    return Int(ask(.count, relationship, of: owner))
  }

  func hasMembers(_ owner: ManagedObject, by relationship: Relationship) -> Bool {
    if let set = members(relationship, of: owner).pointee { return !set.objects.isEmpty }
    return ask(.exists, relationship, of: owner) != 0
  }

  func firstMember(of owner: ManagedObject, by relationship: Relationship) -> ManagedObject? {
    if let set = members(relationship, of: owner).pointee { return set.objects.first }
    let members = space.registry(of: relationship.target)
    let id = ask(.first, relationship, of: owner)
    if id == 0 { return nil }
    if let known = members.map.object(id) { return known }
    do throws(PersistenceError) {
      if let member = try members.fetch(id) { return member }  // Otherwise it is left out as unreadable.
      return try readMembers(relationship, of: owner).first
    } catch {
      space.failReading(error)
      return nil
    }
  }

  func isMember(_ object: ManagedObject, of owner: ManagedObject, by relationship: Relationship) -> Bool {
    if let set = members(relationship, of: owner).pointee { return set.contains(object) }
    // Comparing only ids would match the row of a different object if this one belongs to no context or to another.
    guard let members = object._registry, members.space === space else { return false }
    switch relationship.storage {
    case .inverseColumn(let slot): return members.address(of: slot, in: object).load(as: Int64.self) == owner._id
    default: return hasMember(object._id, relationship, of: owner)
    }
  }

  // Changes

  func insertMember(
    _ object: ManagedObject, into owner: ManagedObject, by relationship: Relationship, at index: Int? = nil
  ) {
    guard space.accepts(object) else { return }
    // A position is defined only among all the other members.
    if index != nil, relationship.isOrdered,
      membersToEdit(relationship, of: owner, for: .arrangement("\(object._id) at \(index ?? 0)")) == nil
    {
      return
    }
    defer { if let index { arrange(relationship, of: owner) { $0.move(object, to: index) } } }
    switch relationship.storage {
    case .inverseColumn(let slot): object._registry?.setTarget(of: object, slot: slot, to: owner)
    case .join(let join, let own, _):
      if let set = members(relationship, of: owner).pointee, set.contains(object) { return }
      if let set = members(relationship.inverse, of: object).pointee, set.contains(owner) { return }
      link(relationship, owner, object) { $0.insert($1) }
      let isFirst = own == join.first
      space.links.append(
        .add(join, first: isFirst ? owner._id : object._id, second: isFirst ? object._id : owner._id))
      if relationship.isOrdered {
        space.links.append(.last(relationship, owner: owner._id, member: object._id))
      }
      if relationship.inverse.isOrdered {
        space.links.append(.last(relationship.inverse, owner: object._id, member: owner._id))
      }
    case .column: return
    }
  }

  func removeMember(_ object: ManagedObject, from owner: ManagedObject, by relationship: Relationship) {
    guard space.accepts(object) else { return }
    switch relationship.storage {
    case .inverseColumn(let slot):
      guard let members = object._registry, members.address(of: slot, in: object).load(as: Int64.self) == owner._id
      else {
        return
      }
      members.setTarget(of: object, slot: slot, to: nil)
    case .join(let join, let own, _):
      if let set = members(relationship, of: owner).pointee, !set.contains(object) { return }
      link(relationship, owner, object) { $0.remove($1) }
      let isFirst = own == join.first
      space.links.append(
        .remove(join, first: isFirst ? owner._id : object._id, second: isFirst ? object._id : owner._id))
    case .column: return
    }
  }

  func setMembers(of owner: ManagedObject, by relationship: Relationship, to objects: [ManagedObject]) {
    let wanted = Set(objects.map { ObjectIdentifier($0) })
    guard let members = membersToEdit(relationship, of: owner, for: .assignment) else { return }
    // Start at the end, where removing a member moves no others.
    for member in members.reversed() where !wanted.contains(ObjectIdentifier(member)) {
      removeMember(member, from: owner, by: relationship)
    }
    for object in objects { insertMember(object, into: owner, by: relationship) }
    if relationship.isOrdered { arrange(relationship, of: owner) { $0.arrange(objects) } }
  }

  /// Changes the order of an ordered relationship's members, which are fetched if they are not in memory.
  func arrangeMembers(
    of owner: ManagedObject, by relationship: Relationship, as name: String,
    _ change: (inout ContiguousArray<ManagedObject>) -> Void
  ) {
    guard relationship.isOrdered, var objects = membersToEdit(relationship, of: owner, for: .arrangement(name)) else {
      return
    }
    change(&objects)
    arrange(relationship, of: owner) { $0.arrange(Array(objects)) }
  }

  /// Changes the order of the members, which must be in memory. `change` returns false if the order stays the same.
  private func arrange(_ relationship: Relationship, of owner: ManagedObject, _ change: (RelatedSet) -> Bool) {
    guard let set = members(relationship, of: owner).pointee, change(set) else { return }
    noteMembers(relationship, of: owner)
    space.links.reorder(relationship, owner)
  }

  /// Changes both sides of a pair if they are in memory.
  private func link(
    _ relationship: Relationship, _ owner: ManagedObject, _ object: ManagedObject,
    _ change: (RelatedSet, ManagedObject) -> Void
  ) {
    self.change(relationship, of: owner) { change($0, object) }
    object._registry?.change(relationship.inverse, of: object) { change($0, owner) }
  }
}
