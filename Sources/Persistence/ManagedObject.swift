/// The base class of everything that a store keeps.
///
/// ```swift
/// final class Movie: ManagedObject {
///   @Attribute var title = ""
///   @Attribute var popularity: Double?
///   @Attribute(.unique) var remoteID: Int64?
///   @ToMany var familyMembers: Related<FamilyMember>
/// }
/// ```
///
/// An object belongs to the context that inserted or fetched it, and there is one object for each row. It cannot leave
/// its context: return `id` instead, or the values that you need. An object that was deleted, or whose insertion was
/// rolled back, can still be read: ``isDeleted`` is true, and its attributes have their last values. Assigning to it
/// changes nothing, and the next save throws a ``PersistenceError/conflict(_:)`` that names the object and the
/// attribute.
///
/// A subclass may have properties of its own that are not attributes; the store does not see them. Its `init` runs for
/// every row that is read, where what it assigns to attributes is dropped: set up new objects in ``didInsert()``. It
/// must not make other managed objects. Its `deinit` must not fetch.
open class ManagedObject {
  // Exclusivity checks on these fields would be paid at every access of every attribute. Nothing calls back into user
  // code while one of them is being modified.
  /// The attributes that have changed since they were last put aside for saving. Everything: no need to watch.
  @exclusivity(unchecked) @usableFromInline final var _changed: SlotSet
  @usableFromInline final let _id: Int64
  // The table clears this in all its objects when it dies before them. Unmanaged, so that hot paths can use it without
  // counting references to it.
  @exclusivity(unchecked) final var _tableReference: Unmanaged<ObjectTable>?
  @exclusivity(unchecked) @usableFromInline final var _state: UInt32
  /// The version of the row that the attributes were read from, or written to.
  @exclusivity(unchecked) final var _version: UInt32

  /// Makes an object that belongs to no context and is never stored. Use ``ObjectSpace/insert(_:)`` for one that is.
  public required init() {
    guard let cursor = RowCursor.current, cursor.pointee.id != 0 else {
      _id = 0
      _tableReference = nil
      _changed = .everything
      _version = 0
      _state = 0
      return
    }
    _id = cursor.pointee.id
    cursor.pointee.id = 0
    _tableReference = cursor.pointee.table
    _version = 1
    switch cursor.pointee.mode {
    case .fresh:
      _changed = .everything
      _state = ObjectState.fresh
    case .row:
      _changed = SlotSet()
      _state = ObjectState.making
    case .probe:
      _changed = SlotSet()
      _state = ObjectState.making
      cursor.pointee.probe?.takeUnretainedValue().made = type(of: self)
    }
  }

  deinit { _tableReference?._withUnsafeGuaranteedRef { $0.forget(self) } }

  /// The table of an object that is not deleted.
  final var _table: ObjectTable? { isDeleted ? nil : _tableReference?.takeUnretainedValue() }

  /// Called once for an object that ``ObjectSpace/insert(_:)`` has made, before it is returned: the place to set up.
  open func didInsert() {}

  /// Called before an inserted or changed object is saved. What it throws keeps everything of the `persist` from being
  /// saved, and arrives as ``PersistenceError/invalidObject(_:)``. It may change attributes, its own and those of other
  /// objects, which are then validated in turn. An object may be validated more than once; if objects go on changing
  /// each other, a million times and more, the save is refused with ``EndlessValidation``.
  open func validate() throws {}

  /// Indexes over several attributes. They are made with a store, and read once, when a schema is made.
  open class var indexes: [AttributeIndex] { [] }

  /// Whether the object is deleted, or its insertion was rolled back. True from the call that deletes it.
  public final var isDeleted: Bool { _state & ObjectState.deleted != 0 }
}

@available(*, unavailable, message: "an object lives in its context: return object.id")
extension ManagedObject: Sendable {}

extension ManagedObject: Equatable {
  /// Whether both are the same object. Within a context, that is whether they are the same row.
  public static func == (left: ManagedObject, right: ManagedObject) -> Bool { left === right }
}

extension ManagedObject: Hashable {
  /// Hashes the object's identity.
  public final func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
