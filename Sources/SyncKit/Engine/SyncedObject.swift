public import Persistence

/// An object by its class and id.
public struct SyncedObject: Sendable, Hashable {
  /// The class of the object.
  public var type: ManagedObject.Type { tables.types[row.entity] }

  let row: RowID
  private let tables: SyncedTables

  init(_ row: RowID, _ tables: SyncedTables) { (self.row, self.tables) = (row, tables) }

  /// The id of the object, or nil if it has another class.
  public func id<Object: ManagedObject>(as type: Object.Type) -> ObjectID<Object>? {
    self.type == type ? ObjectID(rawValue: row.id) : nil
  }

  /// Whether class and id are the same.
  public static func == (first: SyncedObject, second: SyncedObject) -> Bool {
    first.row.id == second.row.id && first.type == second.type
  }

  /// Hashes class and id.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(type))
    hasher.combine(row.id)
  }
}
