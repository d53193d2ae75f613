internal import Foundation

/// The stored forms of values in a query.
enum StoredForm {
  /// The form of a value whose type attributes can have. NaN has no stored form and is retained as it is: nothing
  /// equals it.
  @inline(__always) static func of<Value: AttributeValue>(_ value: Value) -> StoredValue {
    let stored = value.stored
    guard case .unstorable = stored else { return stored }
    return isNaN(value) ? .real(.nan) : stored
  }

  private static func isNaN(_ value: Any) -> Bool {
    switch value {
    case let value as Double: value.isNaN
    case let value as Float: value.isNaN
    case let value as Date: value.timeIntervalSinceReferenceDate.isNaN
    default: false
    }
  }

  /// The form of a value of any type, or nil if attributes cannot have this type.
  static func of(any value: Any) -> StoredValue? {
    switch value {
    case let value as any AttributeValue: of(value)
    case let id as any RowIdentifier: .integer(id.rawValue)
    case let ids as any OptionalRowIdentifier: ids.rawValueIfAny.map { .integer($0) } ?? .null
    default: nil
    }
  }

  /// Whether the values of a type have the same order as their stored forms. The order of an enumeration, for example,
  /// may differ from that of its raw values.
  static func isInOrder(_ type: Any.Type) -> Bool {
    // Almost always. The casts below are slow.
    if ordered.contains(ObjectIdentifier(type)) { return true }
    let type = (type as? any OptionalType.Type)?.wrapped ?? type
    return ordered.contains(ObjectIdentifier(type)) || type is any RowIdentifier.Type
  }

  /// Whether sums and products of a type equal those of its stored forms. `Float` rounds more, and `Decimal` is text.
  static func isCalculable(_ type: Any.Type) -> Bool {
    let type = (type as? any OptionalType.Type)?.wrapped ?? type
    return integers.contains(ObjectIdentifier(type)) || type == Double.self
  }

  private static let integers: Set<ObjectIdentifier> = Set(
    [
      Int.self, Int8.self, Int16.self, Int32.self, Int64.self, UInt.self, UInt8.self, UInt16.self, UInt32.self,
      UInt64.self,
    ].map { (type: Any.Type) in ObjectIdentifier(type) })

  private static let ordered = integers.union(
    [Double.self, Float.self, String.self, Date.self, UUID.self, Decimal.self].map { (type: Any.Type) in
      ObjectIdentifier(type)
    })
}

/// Distinguishes object ids from other types.
protocol RowIdentifier {
  var rawValue: Int64 { get }
}

extension ObjectID: RowIdentifier {}

protocol OptionalRowIdentifier {
  var rawValueIfAny: Int64? { get }
}

extension Optional: OptionalRowIdentifier where Wrapped: RowIdentifier {
  var rawValueIfAny: Int64? { self?.rawValue }
}

protocol OptionalType {
  static var wrapped: Any.Type { get }
}

extension Optional: OptionalType {
  static var wrapped: Any.Type { Wrapped.self }
}
