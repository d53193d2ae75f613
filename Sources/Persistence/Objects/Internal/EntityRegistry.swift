internal import Foundation

/// The objects of one class in one space: those in memory, and their changes.
@usableFromInline final class EntityRegistry {
  // The space owns its tables.
  unowned(unsafe) let space: ObjectSpace
  let entity: Entity
  // Allocated by the space, and freed by it after its tables.
  let isolation: UnsafeMutablePointer<Isolation>
  let arena: UnsafeMutablePointer<TextArena>
  // Modified in tight loops that never call back into user code.
  @exclusivity(unchecked) var map = IdentityMap()
  @exclusivity(unchecked) var deletedObjects = DeletedObjects()
  @exclusivity(unchecked) var changes = PendingChanges()
  let layouts: ContiguousArray<ColumnLayout>
  let offsets: ContiguousArray<Int>
  @exclusivity(unchecked) var ids = IDAllocator()
  /// Created when an object is saved or found by id, because most contexts do not use every class of a program.
  lazy var statements = TableStatements(entity)
  lazy var pending = PendingTable(entity.stored)
  /// By slot.
  @exclusivity(unchecked) var toOnes: ContiguousArray<ToOneLink?> = []
  /// The current import. It refers to the imports that began before it.
  @exclusivity(unchecked) var importer: RowImporter?

  init(_ entity: Entity, in space: ObjectSpace) {
    self.space = space
    isolation = space.isolation
    arena = space.arena
    self.entity = entity
    layouts = ContiguousArray(entity.columns.map(\.layout))
    offsets = ContiguousArray(entity.columns.map(\.offset))
  }

  deinit {
    for object in map.objects() {
      object._state |= ObjectState.deleted
      object._changed = SlotSet()
      object._tableReference = nil
    }
    deletedObjects.forEach { $0._tableReference = nil }
    map.deallocate()
    deletedObjects.deallocate()
  }

  /// Called from the object's `deinit`.
  func forget(_ object: ManagedObject) {
    if object.isDeleted {
      deletedObjects.remove(object)
    } else {
      map.remove(object)
    }
  }

  /// Removes an object from memory whose row no longer exists, or that the context discards.
  func detach(_ object: ManagedObject) {
    map.remove(object)
    object._state |= ObjectState.deleted
    object._changed = SlotSet()
    deletedObjects.insert(object)
  }

  /// The address of the value in this slot. The offset is the same for all instances of the class.
  @inline(__always) func place(_ slot: Int, of object: ManagedObject) -> UnsafeMutableRawPointer {
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
}
