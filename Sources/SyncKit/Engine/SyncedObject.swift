public import Persistence

/// An object by its class and id.
public struct SyncedObject: Sendable {
  /// The class of the object.
  public let type: ManagedObject.Type
  private let number: Int64

  /// Creates it from an id.
  public init<Object: ManagedObject>(_ id: ObjectID<Object>) { self.init(Object.self, id.rawValue) }

  init(_ type: ManagedObject.Type, _ number: Int64) { (self.type, self.number) = (type, number) }

  init(_ row: RowID, _ tables: SyncedTables) { self.init(tables.types[row.entity], row.id) }

  /// The id of the object, or nil if it has another class.
  public func id<Object: ManagedObject>(as type: Object.Type) -> ObjectID<Object>? {
    self.type == type ? ObjectID(rawValue: number) : nil
  }

  func row(in tables: SyncedTables) throws(SyncError) -> RowID {
    guard let entity = tables.types.firstIndex(where: { $0 == type }) else {
      throw .invalidClass(type: "\(type)", reason: "it is not among the remote's classes")
    }
    return RowID(entity, number)
  }
}

extension SyncedObject: Hashable {
  /// Whether class and id are the same.
  public static func == (first: SyncedObject, second: SyncedObject) -> Bool {
    first.number == second.number && first.type == second.type
  }

  /// Hashes class and id.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(type))
    hasher.combine(number)
  }
}
