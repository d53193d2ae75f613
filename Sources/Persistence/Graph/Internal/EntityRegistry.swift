internal import Foundation

/// The objects of one class in one space: those in memory, and their changes.
@usableFromInline final class EntityRegistry: ObjectOwner {
  // The space owns its registries.
  unowned(unsafe) let space: ObjectSpace
  let entity: Entity
  // Allocated by the space, and freed by it after its registries.
  let isolation: UnsafeMutablePointer<Isolation>
  let arena: UnsafeMutablePointer<TextArena>
  // Modified in tight loops that never call back into user code.
  @exclusivity(unchecked) var map = IdentityMap()
  @exclusivity(unchecked) var deletedObjects = DeletedObjects()
  @exclusivity(unchecked) var changes = PendingChanges()
  /// What the open transaction has changed without objects. Nil if nothing.
  @exclusivity(unchecked) var bulk: BulkChanges?
  let layouts: ContiguousArray<ColumnLayout>
  let offsets: ContiguousArray<Int>
  @exclusivity(unchecked) var ids = IDAllocator()
  /// Created when an object is saved or found by id, because most contexts do not use every class of a program.
  lazy var statements = TableStatements(entity)
  lazy var pending = PendingTable(entity.stored)
  /// By slot.
  @exclusivity(unchecked) var toOnes: ContiguousArray<ToOneLink?> = []
  /// The space's observed objects, if they are observed. It lives as long as the space.
  @exclusivity(unchecked) var observed: Unmanaged<ObservedObjects>?
  /// The current import. It refers to the imports that began before it.
  @exclusivity(unchecked) var runningImport: (any RunningImport)?

  init(_ entity: Entity, in space: ObjectSpace) {
    self.space = space
    isolation = space.isolation
    arena = space.arena
    self.entity = entity
    layouts = ContiguousArray(entity.columns.map(\.layout))
    offsets = ContiguousArray(entity.columns.map(\.offset))
    super.init()
  }

  deinit {
    for object in map.objects() {
      object._state |= ObjectState.deleted
      object._changed = SlotSet()
      object._objectOwner = nil
    }
    deletedObjects.forEach { $0._objectOwner = nil }
    map.deallocate()
    deletedObjects.deallocate()
  }

  /// ``ObjectState/watched`` if the objects are observed, otherwise 0.
  @inline(__always) var watched: UInt32 { observed == nil ? 0 : ObjectState.watched }

  override func forget(_ object: ManagedObject) {
    if observed != nil { space.observed?.forget(object) }
    if object.isDeleted {
      deletedObjects.remove(object)
    } else {
      map.remove(object)
    }
  }

  /// Removes an object from memory whose row no longer exists, or that the context discards.
  func detach(_ object: ManagedObject) {
    if watched != 0 { noteEverything(of: object) }
    map.remove(object)
    object._state |= ObjectState.deleted
    object._changed = SlotSet()
    deletedObjects.insert(object)
  }

  /// The address of the value in this slot. The offset is the same for all instances of the class.
  @inline(__always) func address(of slot: Int, in object: ManagedObject) -> UnsafeMutableRawPointer {
    Unmanaged.passUnretained(object).toOpaque() + offsets[slot]
  }

  /// The value that an attribute has in place of an unreadable one. Nil if the object is to be left out.
  func replacement(for stored: StoredValue, _ slot: Int, id: Int64) throws(PersistenceError) -> StoredValue? {
    let column = entity.columns[slot]
    if let value = column.unreadable { return value }
    let problem = column.unreadableValue(stored, of: entity, id: id)
    switch space.store.configuration.onUnreadableValue(problem) {
    case .fail: throw .invalidValue(problem)
    case .leaveOut: return nil
    case .useDefault: return column.defaultValue
    }
  }

  // What objects ask for

  override func checkIsolation() {
    if space.store.configuration.stopsOutsideContext {
      assert(space.isIsolated, "a \(entity.name) was used outside its context")
    }
  }

  override func willChange(_ object: ManagedObject, _ slot: Int) -> Bool { noteChange(of: object, slot) }

  override func willSet(_ object: ManagedObject, _ slot: Int) -> Bool {
    guard isolation.pointee.isCurrent else {
      refuseOutsideContext()
      return false
    }
    // First, because an observer may save, delete the object, or drop the container.
    withExtendedLifetime(space) { space.observed?.willSet(object, slot) }
    return !object.isDeleted && (object._changed.contains(slot) || noteChange(of: object, slot))
  }

  override func didSet(_ object: ManagedObject, _ slot: Int) { space.observed?.didSet(object, slot) }

  override func didRead(_ object: ManagedObject, _ property: Int) {
    observed?._withUnsafeGuaranteedRef { $0.didRead(object, property) }
  }

  override func refuse(_ value: StoredValue, for slot: Int, of object: ManagedObject) {
    refuse(object, entity.columns[slot].property, base: self.value(slot, of: object), mine: value)
  }

  override func target(of object: ManagedObject, slot: Int, id: Int64) -> ManagedObject? {
    related(to: object, slot, id: id)
  }

  override func assignTarget(of object: ManagedObject, slot: Int, to target: ManagedObject?) {
    guard isolation.pointee.isCurrent else { return refuseOutsideContext() }
    if object.isDeleted { return refuse(target.map { .integer($0._id) } ?? .null, for: slot, of: object) }
    space.editing { setTarget(of: object, slot: slot, to: target) }
  }

  override func members(of owner: ManagedObject, relation: Int) -> ContiguousArray<ManagedObject> {
    members(of: owner, by: entity.toMany[relation])
  }

  override func memberCount(of owner: ManagedObject, relation: Int) -> Int {
    memberCount(of: owner, by: entity.toMany[relation])
  }

  override func hasMembers(_ owner: ManagedObject, relation: Int) -> Bool {
    hasMembers(owner, by: entity.toMany[relation])
  }

  override func firstMember(of owner: ManagedObject, relation: Int) -> ManagedObject? {
    firstMember(of: owner, by: entity.toMany[relation])
  }

  override func isMember(_ object: ManagedObject, of owner: ManagedObject, relation: Int) -> Bool {
    isMember(object, of: owner, by: entity.toMany[relation])
  }

  override func mayEdit(_ owner: ManagedObject, relation: Int) -> Bool {
    if !isolation.pointee.isCurrent {
      refuseOutsideContext()
    } else if owner.isDeleted {
      refuse(owner, entity.toMany[relation].property)
    } else {
      return owner._state & ObjectState.making == 0
    }
    return false
  }

  override func insertMember(_ object: ManagedObject, into owner: ManagedObject, relation: Int, at index: Int?) {
    space.editing { insertMember(object, into: owner, by: entity.toMany[relation], at: index) }
  }

  override func removeMember(_ object: ManagedObject, from owner: ManagedObject, relation: Int) {
    space.editing { removeMember(object, from: owner, by: entity.toMany[relation]) }
  }

  override func setMembers(of owner: ManagedObject, relation: Int, to objects: [ManagedObject]) {
    space.editing { setMembers(of: owner, by: entity.toMany[relation], to: objects) }
  }

  override func arrangeMembers(
    of owner: ManagedObject, relation: Int, as name: String, _ change: (inout ContiguousArray<ManagedObject>) -> Void
  ) {
    space.editing { arrangeMembers(of: owner, by: entity.toMany[relation], as: name, change) }
  }
}

extension ManagedObject {
  /// The object's registry. Only registries own objects.
  @inline(__always) final var _ownRegistry: EntityRegistry? {
    _objectOwner.map { unsafeDowncast($0.takeUnretainedValue(), to: EntityRegistry.self) }
  }

  /// The object's registry, or nil if the object is deleted.
  @inline(__always) final var _registry: EntityRegistry? { isDeleted ? nil : _ownRegistry }

  /// Whether the object has a row, and nothing has been done to it but changes of its attributes.
  @inline(__always) final var _isStored: Bool {
    let others = ObjectState.making | ObjectState.deleted | ObjectState.deletedElsewhere | ObjectState.fresh
    return _state & (others | ObjectState.written | ObjectState.returned) == 0
  }
}
