/// A property that the store keeps.
///
/// ```swift
/// @Attribute var title = ""                       // a default is needed, unless the type is Optional
/// @Attribute(.indexed) var year = 0
/// @Attribute(.unique) var remoteID: Int64?
/// ```
///
/// The type is an ``AttributeValue``. Reading and writing cost a few nanoseconds; the first change of an object since
/// it was last saved also keeps the old value, for `rollback`. Assigning the value that it has is no change. A class
/// can have 128 attributes, to-one relationships among them.
@propertyWrapper public struct Attribute<Value: AttributeValue> {
  // First, so that it lies where the attribute does: saving reads it there.
  @usableFromInline var value: Value
  @usableFromInline var slot: UInt32

  /// An attribute with a default.
  @inlinable @inline(__always)
  public init(wrappedValue: @autoclosure () -> Value, _ options: AttributeOption...) {
    self.init(options, default: wrappedValue)
  }

  /// An Optional attribute, nil at first.
  @inlinable @inline(__always)
  public init() where Value: ExpressibleByNilLiteral { self.init([], default: { nil }) }

  /// An Optional attribute, nil at first.
  @inlinable @inline(__always)
  public init(_ options: AttributeOption...) where Value: ExpressibleByNilLiteral {
    self.init(options, default: { nil })
  }

  @inlinable @inline(__always)
  init(_ options: @autoclosure () -> [AttributeOption], default make: () -> Value) {
    guard let cursor = RowCursor.current else {
      value = make().asStored
      slot = 0
      return
    }
    if cursor.pointee.mode == .row {
      let column = cursor.pointee.column
      slot = UInt32(truncatingIfNeeded: column &- 1)
      value = Value.read(AttributeReader(cursor)) ?? _misfit(cursor, column, make)
    } else {
      value = make().asStored
      slot = cursor.pointee.mode == .fresh ? _nextSlot(cursor) : _probeAttribute(cursor, value, options())
    }
  }

  /// Attributes belong in classes that inherit from ``ManagedObject``.
  @available(*, unavailable, message: "@Attribute belongs in a subclass of ManagedObject")
  public var wrappedValue: Value {
    get { value }
    set { value = newValue }
  }

  /// The access to an attribute of an object.
  public static subscript<Object: ManagedObject>(
    _enclosingInstance object: Object,
    wrapped wrapped: ReferenceWritableKeyPath<Object, Value>,
    storage storage: ReferenceWritableKeyPath<Object, Self>
  ) -> Value {
    @inlinable @inline(__always) get {
      if object._state & ObjectState.watched != 0 { _reportAccess(object, object[keyPath: storage].slot) }
      #if DEBUG
      _checkIsolation(object)
      #endif
      return object[keyPath: storage].value
    }
    @inlinable @inline(__always) set {
      let newValue = newValue.asStored
      let slot = object[keyPath: storage].slot
      #if DEBUG
      _checkIsolation(object)
      #endif
      if !object._changed.contains(Int(slot)) {
        if _isSame(object[keyPath: storage].value, newValue) { return }
        if !_willChange(object, slot) { return _refuse(object, slot, newValue) }
      }
      object[keyPath: storage].value = newValue
    }
  }
}

@inlinable @inline(__always) func _nextSlot(_ cursor: UnsafeMutablePointer<RowCursor>) -> UInt32 {
  let column = cursor.pointee.column
  cursor.pointee.column = column &+ 1
  return UInt32(truncatingIfNeeded: column &- 1)
}

/// The row's value is no value of the attribute's type: whoever reads the row is told, and the object is not used.
@usableFromInline @inline(never) func _misfit<Value>(
  _ cursor: UnsafeMutablePointer<RowCursor>, _ column: Int32, _ make: () -> Value
) -> Value {
  if cursor.pointee.misfit == 0 { cursor.pointee.misfit = column }
  return make()
}

/// The first change of an attribute since its object was put aside for saving. False: the write is dropped.
@usableFromInline @inline(never) func _willChange(_ object: ManagedObject, _ slot: UInt32) -> Bool {
  if object._state & (ObjectState.making | ObjectState.deleted) != 0 { return false }
  guard let table = object._tableReference else { return true }
  return table._withUnsafeGuaranteedRef { $0.willChange(object, Int(slot)) }
}

/// Whether assigning `new` would store what is stored already. Strings that are equal may still differ in their bytes.
@inlinable @inline(__always) func _isSame<Value: AttributeValue>(_ old: Value, _ new: Value) -> Bool {
  old == new && _hasSameForm(old, new)
}

@usableFromInline @inline(never) func _hasSameForm<Value: AttributeValue>(_ old: Value, _ new: Value) -> Bool {
  old.stored.isSame(as: new.stored)
}

/// An assignment that ``_willChange(_:_:)`` has refused.
@usableFromInline @inline(never)
func _refuse<Value: AttributeValue>(_ object: ManagedObject, _ slot: UInt32, _ value: Value) {
  guard object.isDeleted, let table = object._tableReference?.takeUnretainedValue() else { return }
  let property = table.entity.columns[Int(slot)].property
  table.refuse(object, property, base: table.value(Int(slot), of: object), mine: value.stored)
}

/// A sample's attribute was read by way of a key path.
@usableFromInline @inline(never) func _reportAccess(_ object: ManagedObject, _ slot: UInt32) {
  RowCursor.current?.pointee.probe?.takeUnretainedValue().accesses.append(slot)
}

/// In debug builds every access is checked; in release builds fetches, insertions, relationships and first changes are.
@usableFromInline @inline(never) func _checkIsolation(_ object: ManagedObject) {
  guard let table = object._tableReference?.takeUnretainedValue(), table.space.store.configuration.stopsOutsideContext
  else { return }
  assert(table.space.isIsolated, "a \(table.entity.name) was used outside its context")
}
