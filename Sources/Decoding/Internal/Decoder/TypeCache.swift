internal import Foundation

/// How each type is decoded, found once per type: a dynamic cast to a protocol is too slow to do for every value.
///
/// Direct-mapped by the type's address; a collision is found out again. Types are never unloaded, so an address stays
/// what it is.
final class TypeCache {
  enum Kind: UInt8 {
    /// By its `init(from:)`.
    case plain
    /// A collection that decodes itself.
    case collection
    case int, int64, int32, uint64, double, float, string, bool
    case date, url, data, decimal
  }

  struct Slot {
    var type: ObjectIdentifier?
    var kind = Kind.plain
    var collection: (any DirectlyDecodable.Type)?
  }

  private static let count = 256
  private let slots: UnsafeMutablePointer<Slot>

  init() {
    slots = .allocate(capacity: Self.count)
    slots.initialize(repeating: Slot(), count: Self.count)
  }

  deinit {
    slots.deinitialize(count: Self.count)
    slots.deallocate()
  }

  @inline(__always)
  func slot<T>(for type: T.Type) -> Slot {
    let id = ObjectIdentifier(type)
    let bits = UInt(bitPattern: id)
    let slot = slots + Int((bits >> 4 ^ bits >> 12) & UInt(Self.count - 1))
    if slot.pointee.type != id { slot.pointee = Self.find(type, id) }
    return slot.pointee
  }

  @inline(never)
  private static func find(_ type: Any.Type, _ id: ObjectIdentifier) -> Slot {
    let known: [(Any.Type, Kind)] = [
      (Int.self, .int), (Int64.self, .int64), (Int32.self, .int32), (UInt64.self, .uint64), (Double.self, .double),
      (Float.self, .float), (String.self, .string), (Bool.self, .bool), (Date.self, .date), (URL.self, .url),
      (Data.self, .data), (Decimal.self, .decimal),
    ]
    if let kind = known.first(where: { $0.0 == type })?.1 { return Slot(type: id, kind: kind) }
    if let collection = type as? any DirectlyDecodable.Type {
      return Slot(type: id, kind: .collection, collection: collection)
    }
    return Slot(type: id)
  }
}
