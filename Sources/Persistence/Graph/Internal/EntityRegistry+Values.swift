internal import Foundation

extension EntityRegistry {
  /// The stored form of an attribute.
  func value(_ slot: Int, of object: ManagedObject) -> StoredValue {
    let address = address(of: slot, in: object)
    // Trivial types are loaded as raw bytes, because `Int` and `Int64` share a layout. A string has exactly the type in
    // the layout.
    switch layouts[slot] {
    case .int64: return .integer(address.load(as: Int64.self))
    case .double: return .real(address.load(as: Double.self))
    case .text: return .text(address.assumingMemoryBound(to: String.self).pointee)
    case .optionalInt64: return address.load(as: Int64?.self).map { .integer($0) } ?? .null
    case .optionalDouble: return address.load(as: Double?.self).map { .real($0) } ?? .null
    case .optionalText: return address.assumingMemoryBound(to: String?.self).pointee.map { .text($0) } ?? .null
    case .reference, .opaque: return entity.columns[slot].load(address)
    }
  }

  /// Assigns a stored form to an attribute. Returns false if it is not of the attribute's type.
  @discardableResult
  func assign(_ value: StoredValue, to slot: Int, of object: ManagedObject) -> Bool {
    let address = address(of: slot, in: object)
    if object._state &>> ObjectState.observerShift != 0, !self.value(slot, of: object).isSame(as: value) {
      note(object, slot)
    }
    switch (layouts[slot], value) {
    case (.int64, .integer(let integer)): address.storeBytes(of: integer, as: Int64.self)
    case (.double, .real(let real)): address.storeBytes(of: real, as: Double.self)
    case (.text, .text(let text)): address.assumingMemoryBound(to: String.self).pointee = text
    default: return entity.columns[slot].assign(address, value)
    }
    return true
  }

  /// Binds an attribute directly from the object's memory, whose types are those of ``value(_:of:)``.
  @inline(__always)
  func bind(_ slot: Int, of object: ManagedObject, to statement: Statement, at index: Int32) -> Int32 {
    let address = address(of: slot, in: object)
    switch layouts[slot] {
    case .int64: return statement.bind(address.load(as: Int64.self), at: index)
    case .double:
      let real = address.load(as: Double.self)
      return real.isNaN ? Statement.unstorable : statement.bind(real, at: index)
    case .text: return arena.pointee.bind(address.assumingMemoryBound(to: String.self), to: statement, at: index)
    case .optionalInt64:
      guard let integer = address.load(as: Int64?.self) else { return statement.bindNull(at: index) }
      return statement.bind(integer, at: index)
    case .optionalDouble:
      guard let real = address.load(as: Double?.self) else { return statement.bindNull(at: index) }
      return real.isNaN ? Statement.unstorable : statement.bind(real, at: index)
    case .reference:
      let id = address.load(as: Int64.self)
      return id == 0 ? statement.bindNull(at: index) : statement.bind(id, at: index)
    case .optionalText, .opaque: return statement.bind(entity.columns[slot].load(address), at: index)
    }
  }

  /// The error that names the attribute that could not be bound.
  @inline(never) func unstorable(_ slot: Int, of object: ManagedObject, _ failure: PersistenceError) -> PersistenceError
  {
    if case .database(let cause) = failure, cause.isTooBig {
      return invalidValue(slot, id: object._id, "it exceeds SQLite's size limit")
    }
    guard case .unstorable(let reason) = entity.columns[slot].load(address(of: slot, in: object)) else {
      return failure
    }
    return invalidValue(slot, id: object._id, reason)
  }

  /// - Parameter id: 0 if the value does not belong to one object.
  func invalidValue(_ slot: Int, id: Int64 = 0, _ reason: String) -> PersistenceError {
    .invalidValue(
      InvalidValue(type: entity.name, attribute: entity.columns[slot].property, id: id, reason: reason))
  }
}
