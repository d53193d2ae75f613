internal import Foundation

/// A cache of how each type is decoded or encoded, because a dynamic cast to a protocol is too slow to do for every
/// value. `Collection` is the type of types that decode or encode themselves.
///
/// The cache is direct-mapped by the type's address; on a collision the lookup is repeated. Types are never unloaded,
/// so an address always refers to the same type.
final class TypeCache<Collection> {
  struct Slot {
    var type: ObjectIdentifier?
    var kind = ValueTypeKind.plain
    var collection: Collection?
  }

  private let slots: UnsafeMutablePointer<Slot>
  private let asCollection: (Any.Type) -> Collection?

  init(_ asCollection: @escaping (Any.Type) -> Collection?) {
    self.asCollection = asCollection
    slots = .allocate(capacity: slotCount)
    slots.initialize(repeating: Slot(), count: slotCount)
  }

  deinit {
    slots.deinitialize(count: slotCount)
    slots.deallocate()
  }

  @inline(__always)
  func slot<T>(for type: T.Type) -> Slot {
    let id = ObjectIdentifier(type)
    let bits = UInt(bitPattern: id)
    let slot = slots + Int((bits >> 4 ^ bits >> 12) & UInt(slotCount - 1))
    if slot.pointee.type != id { slot.pointee = find(type, id) }
    return slot.pointee
  }

  @inline(never)
  private func find(_ type: Any.Type, _ id: ObjectIdentifier) -> Slot {
    let known: [(Any.Type, ValueTypeKind)] = [
      (Int.self, .int), (Int64.self, .int64), (Int32.self, .int32), (UInt64.self, .uint64), (Double.self, .double),
      (Float.self, .float), (String.self, .string), (Bool.self, .bool), (Date.self, .date), (URL.self, .url),
      (Data.self, .data), (Decimal.self, .decimal),
    ]
    if let kind = known.first(where: { $0.0 == type })?.1 { return Slot(type: id, kind: kind) }
    if let collection = asCollection(type) { return Slot(type: id, kind: .collection, collection: collection) }
    return Slot(type: id)
  }
}

private let slotCount = 256

enum ValueTypeKind: UInt8 {
  /// With its own `init(from:)` or `encode(to:)`.
  case plain
  /// A collection that decodes or encodes itself.
  case collection
  case int, int64, int32, uint64, double, float, string, bool
  case date, url, data, decimal
}
