/// A relationship to at most one object.
///
/// ```swift
/// final class Film: ManagedObject { @ToOne var director: Director? }
/// final class Director: ManagedObject {
///   @ToMany(inverse: \Film.director) var films: RelatedObjects<Film>
/// }
/// ```
///
/// Every relationship has an inverse. Setting one side updates the other side immediately in memory, and in the store
/// when you save. Only one of the two sides declares the inverse, because Swift would otherwise report a circular
/// reference.
///
/// Reading the property looks up the related object in the context. If the related object is not in memory, it is
/// fetched with a query. If the owner of the relationship was fetched together with other objects, this query also
/// fetches the related objects of those objects, unless they are already in memory.
@propertyWrapper public struct ToOne<Target: ManagedObject> {
  // 0 is nil. First, so that its address is the relationship's: saving reads it there.
  @usableFromInline var value: Int64
  @usableFromInline var slot: UInt32

  /// Creates a relationship for which the other side declares the inverse.
  @inlinable @inline(__always) public init() { self.init(inverse: nil, .nullify) }

  /// Creates a relationship for which the other side declares the inverse.
  @inlinable @inline(__always) public init(deleteRule: DeleteRule) { self.init(inverse: nil, deleteRule) }

  /// Creates a to-one relationship whose inverse is a to-many relationship.
  @inlinable @inline(__always)
  public init<Owner: ManagedObject>(
    inverse: @autoclosure () -> KeyPath<Target, RelatedObjects<Owner>>, deleteRule: DeleteRule = .nullify
  ) { self.init(inverse: inverse(), deleteRule) }

  /// Creates one side of a one-to-one relationship.
  @inlinable @inline(__always)
  public init<Owner: ManagedObject>(
    inverse: @autoclosure () -> KeyPath<Target, Owner?>, deleteRule: DeleteRule = .nullify
  ) { self.init(inverse: inverse(), deleteRule) }

  @inlinable @inline(__always)
  init(inverse: @autoclosure () -> AnyKeyPath?, _ rule: DeleteRule) {
    guard let cursor = RowCursor.current else {
      value = 0
      slot = 0
      return
    }
    switch cursor.pointee.mode {
    case .row:
      let column = cursor.pointee.column
      slot = UInt32(truncatingIfNeeded: column &- 1)
      value = _readReference(cursor)
    case .fresh:
      slot = _nextSlot(cursor)
      value = 0
    case .probe:
      slot = _probeToOne(cursor, Target.self, inverse(), rule)
      value = 0
    }
  }

  /// `@ToOne` is available only in classes that inherit from ``ManagedObject``.
  @available(*, unavailable, message: "@ToOne belongs in a subclass of ManagedObject")
  public var wrappedValue: Target? {
    get { nil }
    set { _ = newValue }
  }

  /// Reads or sets an object's related object.
  public static subscript<Object: ManagedObject>(
    _enclosingInstance object: Object,
    wrapped wrapped: ReferenceWritableKeyPath<Object, Target?>,
    storage storage: ReferenceWritableKeyPath<Object, Self>
  ) -> Target? {
    @inlinable @inline(__always) get {
      let id = object[keyPath: storage].value
      if id == 0 && object._state & ObjectState.watched == 0 { return nil }
      // The column refers to objects of exactly this class.
      return _target(object, object[keyPath: storage].slot, id).map { unsafeDowncast($0, to: Target.self) }
    }
    @inlinable @inline(__always) set { _setTarget(object, object[keyPath: storage].slot, newValue) }
  }
}

@usableFromInline func _readReference(_ cursor: UnsafeMutablePointer<RowCursor>) -> Int64 {
  let column = cursor.pointee.column
  if _readNull(cursor) { return 0 }
  guard let id = _readInteger(cursor) else { return _mismatchedColumn(cursor, column) { 0 } }
  return id
}

@usableFromInline func _target(_ object: ManagedObject, _ slot: UInt32, _ id: Int64) -> ManagedObject? {
  if object._state & (ObjectState.watched | ObjectState.deleted) != 0 {
    if object._state & ObjectState.watched != 0 { _reportAccess(object, slot) }
    if id == 0 || object._state & (ObjectState.making | ObjectState.deleted) != 0 { return nil }
  }
  #if DEBUG
  _checkIsolation(object)
  #endif
  return object._objectOwner?._withUnsafeGuaranteedRef { $0.target(of: object, slot: Int(slot), id: id) }
}

@usableFromInline func _setTarget(_ object: ManagedObject, _ slot: UInt32, _ target: ManagedObject?) {
  #if DEBUG
  _checkIsolation(object)
  #endif
  object._objectOwner?._withUnsafeGuaranteedRef { $0.assignTarget(of: object, slot: Int(slot), to: target) }
}
