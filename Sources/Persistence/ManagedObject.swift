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
/// An object belongs to the context that inserted or fetched it. A context has only one object for each row of the
/// store. An object cannot leave its context, so to use an object's data elsewhere, pass on its `id` or the values that
/// you need.
///
/// After an object is deleted or its insertion is rolled back, ``isDeleted`` is true, and you can still read the last
/// values of its attributes. Assigning a value to an attribute of a deleted object does not change the attribute, and
/// the next save throws a ``PersistenceError/conflict(_:)`` that names the object and the attribute.
///
/// A subclass can also have properties that are not attributes. The store ignores these properties. The `init` of a
/// subclass runs not only for new objects but also for every row that is read. When a row is read, values that the
/// `init` assigns to attributes are discarded, so set up new objects in ``didInsert()`` instead. The `init` must not
/// create other managed objects, and the `deinit` must not fetch objects.
nonisolated open class ManagedObject {
  // Exclusivity checks on these fields would cost time at every access of every attribute. Nothing calls back into user
  // code while one of them is being modified.
  /// The attributes that changed since changes were last collected for saving. Everything: changes need not be tracked.
  @exclusivity(unchecked) @usableFromInline final var _changed: SlotSet
  @usableFromInline final let _id: Int64
  // The owner clears this in all its objects if it is deinitialized before them. Unmanaged, so that hot paths avoid
  // reference counting.
  @exclusivity(unchecked) final var _objectOwner: Unmanaged<ObjectOwner>?
  @exclusivity(unchecked) @usableFromInline final var _state: UInt32
  /// The version of the row that the attributes were read from or written to.
  @exclusivity(unchecked) final var _version: UInt32

  /// Creates an object that belongs to no context and is never stored. To create a stored object, use
  /// ``ObjectSpace/insert(_:)``.
  public required init() {
    guard let cursor = RowCursor.current, cursor.pointee.id != 0 else {
      _id = 0
      _objectOwner = nil
      _changed = .everything
      _version = 0
      _state = 0
      return
    }
    _id = cursor.pointee.id
    cursor.pointee.id = 0
    _objectOwner = cursor.pointee.owner
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

  deinit { _objectOwner?._withUnsafeGuaranteedRef { $0.forget(self) } }

  /// Called once for each object that ``ObjectSpace/insert(_:)`` creates, before the object is returned to the caller.
  /// Override this method to set up new objects.
  open func didInsert() {}

  /// Called before an inserted or changed object is saved.
  ///
  /// If this method throws, nothing is saved, and the save throws ``PersistenceError/invalidObject(_:)`` with the
  /// error. The method can change attributes of this object and of other objects, and every object that it changes is
  /// then validated as well. An object can therefore be validated more than once. If objects keep changing each other,
  /// the save throws ``PersistenceError/invalidObject(_:)`` with a ``ValidationCycleError`` after at least a million
  /// validations.
  open func validate() throws {}

  /// The indexes and uniqueness constraints of the class, apart from those that are declared as options of an
  /// attribute. The indexes are created together with the store. This property is read once, when a schema is created.
  open class var indexes: [AttributeIndex] { [] }

  /// Whether the object was deleted, or its insertion was rolled back. The value is true as soon as the object has been
  /// passed to `delete`, even before the deletion is saved.
  public final var isDeleted: Bool { _state & ObjectState.deleted != 0 }
}

@available(*, unavailable, message: "an object lives in its context: return object.id")
extension ManagedObject: Sendable {}

extension ManagedObject: Equatable {
  /// Returns whether the two operands are the same object. In one context, two references to the same row always refer
  /// to the same object.
  public static func == (left: ManagedObject, right: ManagedObject) -> Bool { left === right }
}

extension ManagedObject: Hashable {
  /// Hashes the object's identity.
  public final func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
