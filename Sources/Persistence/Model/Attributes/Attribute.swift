/// Declares that a property of a managed object is saved in the store.
///
/// ```swift
/// @Attribute var title = ""  // a default is needed unless the type is Optional
/// @Attribute(.indexed) var year = 0
/// @Attribute(.unique) var remoteID: Int64?
/// ```
///
/// The property's type must conform to ``AttributeValue``. Reading or writing the property takes a few nanoseconds. The
/// first change to the property after a save takes longer, because it also records the old value for `rollback`.
/// Assigning the current value again does not count as a change. A class can have at most 128 attributes, including
/// to-one relationships.
@propertyWrapper public struct Attribute<Value: AttributeValue> {
  // First, so that its address is the attribute's: saving reads it there.
  @usableFromInline var value: Value
  @usableFromInline var slot: UInt32

  /// Creates an attribute with a default value.
  @inlinable @inline(__always)
  public init(wrappedValue: @autoclosure () -> Value, _ options: AttributeOption...) {
    self.init(options, default: wrappedValue)
  }

  /// Creates an optional attribute, which is nil by default.
  @inlinable @inline(__always)
  public init() where Value: ExpressibleByNilLiteral { self.init([], default: { nil }) }

  /// Creates an optional attribute, which is nil by default.
  @inlinable @inline(__always)
  public init(_ options: AttributeOption...) where Value: ExpressibleByNilLiteral {
    self.init(options, default: { nil })
  }

  /// Creates an attribute with a default value, and with a value to read in place of a stored value that is not of the
  /// attribute's type, such as JSON that can no longer be decoded, or a raw value that an enumeration does not have.
  ///
  /// ```swift
  /// enum Genre: String, AttributeValue { case drama, comedy, unknown }
  ///
  /// final class Show: ManagedObject {
  ///   @Attribute(unreadable: .unknown) var genre = Genre.drama
  /// }
  /// ```
  ///
  /// Saving other attributes of the object does not change the stored value. It stays until another value is assigned
  /// to this attribute, or until the object is deleted. Conditions, sort keys, aggregates and the keys of groups use
  /// the stored value, so several groups can have the same key.
  @inlinable @inline(__always)
  public init(
    wrappedValue: @autoclosure () -> Value, _ options: AttributeOption..., unreadable: @autoclosure () -> Value
  ) {
    self.init(options, default: wrappedValue, unreadable: unreadable())
  }

  /// Creates an optional attribute, which is nil by default, with a value to read in place of a stored value that is
  /// not of the attribute's type.
  @inlinable @inline(__always)
  public init(_ options: AttributeOption..., unreadable: @autoclosure () -> Value)
  where Value: ExpressibleByNilLiteral {
    self.init(options, default: { nil }, unreadable: unreadable())
  }

  // The closures of these two never run: what is unavailable cannot be called.

  /// Unavailable, because a non-optional attribute needs a default value.
  @available(*, unavailable, message: "give the attribute a default value, or make its type Optional")
  public init() { self.init([], default: { fatalError() }) }

  /// Unavailable, because a non-optional attribute needs a default value.
  @available(*, unavailable, message: "give the attribute a default value, or make its type Optional")
  public init(_ options: AttributeOption...) { self.init(options, default: { fatalError() }) }

  @inlinable @inline(__always)
  init(
    _ options: @autoclosure () -> [AttributeOption], default make: () -> Value,
    unreadable: @autoclosure () -> Value? = nil
  ) {
    guard let cursor = RowCursor.current else {
      value = make().roundedForStorage
      slot = 0
      return
    }
    if cursor.pointee.mode == .row {
      let column = cursor.pointee.column
      slot = UInt32(truncatingIfNeeded: column &- 1)
      value = Value.read(ColumnReader(cursor)) ?? _mismatchedColumn(cursor, column, make)
    } else {
      value = make().roundedForStorage
      slot = cursor.pointee.mode == .fresh ? _nextSlot(cursor) : _probeAttribute(cursor, value, options(), unreadable())
    }
  }

  /// `@Attribute` is available only in classes that inherit from ``ManagedObject``.
  @available(*, unavailable, message: "@Attribute belongs in a subclass of ManagedObject")
  public var wrappedValue: Value {
    get { value }
    set { value = newValue }
  }

  /// Reads or writes the attribute of an object.
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
      let newValue = newValue.roundedForStorage
      let slot = object[keyPath: storage].slot
      #if DEBUG
      _checkIsolation(object)
      #endif
      let isWatched = object._state & ObjectState.watched != 0
      if isWatched || !object._changed.contains(Int(slot)) {
        if _isSame(object[keyPath: storage].value, newValue) { return }
        if !_willChange(object, slot) { return _refuse(object, slot, newValue) }
      }
      object[keyPath: storage].value = newValue
      if isWatched { _didSet(object, slot) }
    }
  }
}

@inlinable @inline(__always) func _nextSlot(_ cursor: UnsafeMutablePointer<RowCursor>) -> UInt32 {
  let column = cursor.pointee.column
  cursor.pointee.column = column &+ 1
  return UInt32(truncatingIfNeeded: column &- 1)
}

/// The row's value is not of the attribute's type. Records the column, so that reading the row fails, and returns a
/// placeholder for the object, which is not used.
@usableFromInline @inline(never) func _mismatchedColumn<Value>(
  _ cursor: UnsafeMutablePointer<RowCursor>, _ column: Int32, _ make: () -> Value
) -> Value {
  if cursor.pointee.mismatchedColumn == 0 { cursor.pointee.mismatchedColumn = column }
  return make()
}

/// Called for the first change of an attribute since its object's changes were collected, and for each change of an
/// observed object. If false, the write is discarded.
@usableFromInline @inline(never) func _willChange(_ object: ManagedObject, _ slot: UInt32) -> Bool {
  if object._state & (ObjectState.making | ObjectState.deleted) != 0 { return false }
  return object._objectOwner?._withUnsafeGuaranteedRef {
    object._state & ObjectState.watched == 0 ? $0.willChange(object, Int(slot)) : $0.willSet(object, Int(slot))
  } ?? true
}

@usableFromInline @inline(never) func _didSet(_ object: ManagedObject, _ slot: UInt32) {
  object._objectOwner?._withUnsafeGuaranteedRef { $0.didSet(object, Int(slot)) }
}

/// Whether assigning `new` would store the value that is already stored. Equal strings can differ in their bytes.
@inlinable @inline(__always) func _isSame<Value: AttributeValue>(_ old: Value, _ new: Value) -> Bool {
  old == new && _hasSameForm(old, new)
}

@usableFromInline @inline(never) func _hasSameForm<Value: AttributeValue>(_ old: Value, _ new: Value) -> Bool {
  old.stored.isSame(as: new.stored)
}

/// Records an assignment that ``_willChange(_:_:)`` has rejected.
@usableFromInline @inline(never)
func _refuse<Value: AttributeValue>(_ object: ManagedObject, _ slot: UInt32, _ value: Value) {
  if object.isDeleted { object._objectOwner?.takeUnretainedValue().refuse(value.stored, for: Int(slot), of: object) }
}

/// Reports that an attribute of an observed object was read, or one of a sample, by a key path.
@usableFromInline @inline(never) func _reportAccess(_ object: ManagedObject, _ slot: UInt32) {
  if object._state & ObjectState.making == 0 {
    object._objectOwner?._withUnsafeGuaranteedRef { $0.didRead(object, Int(slot)) }
    return
  }
  RowCursor.current?.pointee.probe?.takeUnretainedValue().accesses.append(slot)
}

/// Debug builds check every access. Release builds check fetches, insertions, relationships and first changes.
@usableFromInline @inline(never) func _checkIsolation(_ object: ManagedObject) {
  object._objectOwner?.takeUnretainedValue().checkIsolation()
}
