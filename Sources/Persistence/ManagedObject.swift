/// The base class of every object in a store.
///
/// ```swift
/// final class Movie: ManagedObject {
///   @Attribute var title = ""
///   @Attribute var popularity: Double?
///   @Attribute(.unique) var remoteID: Int64?
///   @ToMany var familyMembers: RelatedObjects<FamilyMember>
/// }
/// ```
///
/// An object belongs to the context that inserted or fetched it, and within a context, exactly one object represents
/// each row. An object cannot leave its context, so to use its data elsewhere, return its `id` or the values that you
/// need. An object can still be read after it is deleted or its insertion is rolled back: ``isDeleted`` is then true,
/// and the attributes have their last values. Assigning to an attribute of such an object does not change its value,
/// and the next save throws a ``PersistenceError/conflict(_:)`` that names the object and the attribute.
///
/// A subclass may have properties that are not attributes. The store ignores such properties. A subclass's `init` runs
/// for every row that is read, and any values that it assigns to attributes are then discarded, so set up new objects
/// in ``didInsert()`` instead. The `init` must not create other managed objects, and the `deinit` must not fetch.
open class ManagedObject {
  // Exclusivity checks on these fields would cost time at every access of every attribute. Nothing calls back into user
  // code while one of them is being modified.
  /// The attributes that changed since changes were last collected for saving. Everything: changes need not be tracked.
  @exclusivity(unchecked) @usableFromInline final var _changed: SlotSet
  @usableFromInline final let _id: Int64
  // The table clears this in all its objects if it is deinitialized before them. Unmanaged, so that hot paths avoid
  // reference counting.
  @exclusivity(unchecked) final var _tableReference: Unmanaged<EntityRegistry>?
  @exclusivity(unchecked) @usableFromInline final var _state: UInt32
  /// The version of the row that the attributes were read from or written to.
  @exclusivity(unchecked) final var _version: UInt32

  /// Creates an object that belongs to no context and is never stored. To create a stored object, use
  /// ``ObjectSpace/insert(_:)``.
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

  /// The object's table, or nil if the object is deleted.
  final var _table: EntityRegistry? { isDeleted ? nil : _tableReference?.takeUnretainedValue() }

  /// Called once for an object that ``ObjectSpace/insert(_:)`` creates, before the object is returned. Override this
  /// method to set up new objects.
  open func didInsert() {}

  /// Called before an inserted or changed object is saved.
  ///
  /// If this method throws, nothing is saved, and the save throws ``PersistenceError/invalidObject(_:)`` with the
  /// error. The method may change attributes of this object and of other objects, which are then validated in turn. An
  /// object may be validated more than once. If objects keep changing each other a million times or more, the save
  /// fails with ``ValidationCycleError``.
  open func validate() throws {}

  /// Indexes on several attributes, which are created with the store. This property is read once, when a schema is
  /// created.
  open class var indexes: [AttributeIndex] { [] }

  /// Whether the object was deleted, or its insertion was rolled back. It becomes true as soon as the object is passed
  /// to `delete`.
  public final var isDeleted: Bool { _state & ObjectState.deleted != 0 }
}

@available(*, unavailable, message: "an object lives in its context: return object.id")
extension ManagedObject: Sendable {}

extension ManagedObject: Equatable {
  /// Returns whether the operands are the same object. Within a context, the same object means the same row.
  public static func == (left: ManagedObject, right: ManagedObject) -> Bool { left === right }
}

extension ManagedObject: Hashable {
  /// Hashes the object's identity.
  public final func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
