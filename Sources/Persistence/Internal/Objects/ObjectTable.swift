internal import Foundation

/// The objects of one class in one space: which are in memory, and what has changed.
@usableFromInline final class ObjectTable {
  // The space owns its tables.
  unowned(unsafe) let space: ObjectSpace
  let entity: Entity
  // Allocated by the space, and freed by it after its tables are gone.
  let isolation: UnsafeMutablePointer<Isolation>
  let arena: UnsafeMutablePointer<TextArena>
  // Modified in tight loops, in which nothing calls back into user code.
  @exclusivity(unchecked) var map = IdentityMap()
  @exclusivity(unchecked) var deletedObjects = DeletedObjects()
  @exclusivity(unchecked) var changes = PendingChanges()
  let layouts: ContiguousArray<ColumnLayout>
  let offsets: ContiguousArray<Int>
  @exclusivity(unchecked) var ids = IDStock()
  /// Made when something is saved, or found by its id: most classes of a program are not used by every context.
  lazy var statements = TableStatements(entity)
  /// By slot.
  @exclusivity(unchecked) var toOnes: ContiguousArray<ToOneLink?> = []
  /// The import that is going on; those that began before it, it knows.
  @exclusivity(unchecked) var importer: RowImporter?
  /// While a statement runs that changes many rows.
  @exclusivity(unchecked) var asked = AskedRun()

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

  /// From its `deinit`.
  func forget(_ object: ManagedObject) {
    if object.isDeleted {
      deletedObjects.remove(object)
    } else {
      map.remove(object)
    }
  }

  /// Takes an object out of memory that has no row any more, or that the context forgets.
  func detach(_ object: ManagedObject) {
    map.remove(object)
    object._state |= ObjectState.deleted
    object._changed = SlotSet()
    deletedObjects.insert(object)
  }

  /// Where the value in this slot lies. The offset is that of the class, of which the object is an instance.
  @inline(__always) func place(_ slot: Int, of object: ManagedObject) -> UnsafeMutableRawPointer {
    Unmanaged.passUnretained(object).toOpaque() + offsets[slot]
  }
}
