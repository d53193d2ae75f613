/// One side of a relationship. Both sides know each other once the schema is complete.
final class Relationship: @unchecked Sendable {
  // @unchecked: everything that varies is set by the schema's initializer, before another thread can know of it.

  /// What the wrapper of the property said.
  struct Declaration {
    let target: ManagedObject.Type
    let valueType: any Any.Type
    let inverse: AnyKeyPath?
    let rule: DeleteRule
    /// The foreign key's slot, for a to-one.
    let slot: Int?
    /// The number among the to-manies, for a to-many.
    let relation: Int?
    let isOrdered: Bool
  }

  /// Where the store keeps it.
  enum Storage {
    /// A foreign key in the class's own table.
    case column(slot: Int)
    /// A foreign key in the target's table.
    case inverseColumn(slot: Int)
    /// A table of pairs; `own` and `other` are its columns for the two sides.
    case join(JoinTable, own: String, other: String)
  }

  let declaration: Declaration
  var property = ""
  /// Where a to-many's members lie in an object, in bytes.
  var offset = 0
  // The schema owns all entities, and every table keeps the schema.
  unowned(unsafe) var entity: Entity
  unowned(unsafe) var target: Entity
  unowned(unsafe) private(set) var linked: Relationship?
  var storage: Storage

  init(_ declaration: Declaration, in entity: Entity) {
    self.declaration = declaration
    self.entity = entity
    // Preliminary: the schema links all of them, or is refused.
    target = entity
    storage = .column(slot: declaration.slot ?? 0)
  }

  /// The other side.
  var inverse: Relationship { linked ?? self }

  func link(to other: Relationship) {
    linked = other
    other.linked = self
    target = other.entity
    other.target = entity
  }

  var isOrdered: Bool { declaration.isOrdered }

  var isToMany: Bool { declaration.relation != nil }
}

/// The pairs of a many-to-many relationship.
final class JoinTable: Sendable {
  let name: String
  let index: Int
  /// The columns for the ids of the two sides' objects.
  let first: String
  let second: String

  /// - Parameter sides: in the order of their paths.
  init(pairing sides: [StoredSide], index: Int) {
    name = StoredTable.name(pairing: sides)
    (first, second) = StoredTable.columns(pairing: sides)
    self.index = index
  }

  /// Both of its columns.
  var columns: String { "\(SQL.name(first)),\(SQL.name(second))" }
}
