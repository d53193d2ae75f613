internal import Foundation

extension EntityRegistry {
  /// The stored form of an attribute.
  func value(_ slot: Int, of object: ManagedObject) -> StoredValue {
    let place = place(slot, of: object)
    // Trivial types are loaded as raw bytes, because `Int` and `Int64` share a layout. A string has exactly the type in
    // the layout.
    switch layouts[slot] {
    case .int64: return .integer(place.load(as: Int64.self))
    case .double: return .real(place.load(as: Double.self))
    case .text: return .text(place.assumingMemoryBound(to: String.self).pointee)
    case .optionalInt64: return place.load(as: Int64?.self).map { .integer($0) } ?? .null
    case .optionalDouble: return place.load(as: Double?.self).map { .real($0) } ?? .null
    case .optionalText: return place.assumingMemoryBound(to: String?.self).pointee.map { .text($0) } ?? .null
    case .reference, .opaque: return entity.columns[slot].load(place)
    }
  }

  /// Assigns a stored form to an attribute. Returns false if it is not of the attribute's type.
  @discardableResult
  func assign(_ value: StoredValue, to slot: Int, of object: ManagedObject) -> Bool {
    let place = place(slot, of: object)
    switch (layouts[slot], value) {
    case (.int64, .integer(let integer)): place.storeBytes(of: integer, as: Int64.self)
    case (.double, .real(let real)): place.storeBytes(of: real, as: Double.self)
    case (.text, .text(let text)): place.assumingMemoryBound(to: String.self).pointee = text
    default: return entity.columns[slot].assign(place, value)
    }
    return true
  }

  /// Binds an attribute directly from the object's memory, whose types are those of ``value(_:of:)``.
  @inline(__always)
  func bind(_ slot: Int, of object: ManagedObject, to statement: Statement, at index: Int32) -> Int32 {
    let place = place(slot, of: object)
    switch layouts[slot] {
    case .int64: return statement.bind(place.load(as: Int64.self), at: index)
    case .double:
      let real = place.load(as: Double.self)
      return real.isNaN ? Statement.unstorable : statement.bind(real, at: index)
    case .text: return arena.pointee.bind(place.assumingMemoryBound(to: String.self), to: statement, at: index)
    case .optionalInt64:
      guard let integer = place.load(as: Int64?.self) else { return statement.bindNull(at: index) }
      return statement.bind(integer, at: index)
    case .optionalDouble:
      guard let real = place.load(as: Double?.self) else { return statement.bindNull(at: index) }
      return real.isNaN ? Statement.unstorable : statement.bind(real, at: index)
    case .reference:
      let id = place.load(as: Int64.self)
      return id == 0 ? statement.bindNull(at: index) : statement.bind(id, at: index)
    case .optionalText, .opaque: return statement.bind(entity.columns[slot].load(place), at: index)
    }
  }

  /// The error that names the attribute that could not be bound.
  @inline(never) func unstorable(_ slot: Int, of object: ManagedObject, _ failure: PersistenceError) -> PersistenceError
  {
    let column = entity.columns[slot]
    let reason: String
    if case .database(let cause) = failure, cause.isTooBig {
      reason = "it exceeds SQLite's size limit"
    } else {
      guard case .unstorable(let text) = column.load(place(slot, of: object)) else { return failure }
      reason = text
    }
    return .invalidValue(InvalidValue(type: entity.name, attribute: column.property, id: object._id, reason: reason))
  }
}
