/// One side of a relationship. The schema links the two sides to each other.
final class Relationship: @unchecked Sendable {
  // @unchecked: the schema's initializer sets everything that varies, before another thread can see the relationship.

  /// The declaration of the property wrapper.
  struct Declaration {
    let target: ManagedObject.Type
    let valueType: any Any.Type
    let inverse: AnyKeyPath?
    let rule: DeleteRule
    /// The slot of the foreign key, for a to-one.
    let slot: Int?
    /// The number among the to-many relationships, for a to-many.
    let relation: Int?
    let isOrdered: Bool
  }

  /// Where the store keeps the relationship.
  enum Storage {
    /// A foreign key in the class's own table.
    case column(slot: Int)
    /// A foreign key in the target's table.
    case inverseColumn(slot: Int)
    /// A join table; `own` and `other` are its columns for the two sides.
    case join(JoinTable, own: String, other: String)
  }

  let declaration: Declaration
  var property = ""
  /// The offset of a to-many's members in an object, in bytes.
  var offset = 0
  // The schema owns all entities, and every space retains the schema.
  unowned(unsafe) var entity: Entity
  unowned(unsafe) var target: Entity
  unowned(unsafe) private(set) var linked: Relationship?
  var storage: Storage

  init(_ declaration: Declaration, in entity: Entity) {
    self.declaration = declaration
    self.entity = entity
    // Preliminary values. The schema links every relationship or is rejected.
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

/// The join table of a many-to-many relationship.
final class JoinTable: Sendable {
  let name: String
  let index: Int
  /// The columns that hold the ids of each side's objects.
  let first: String
  let second: String

  /// - Parameter sides: Sorted by their paths.
  init(pairing sides: [StoredSide], index: Int) {
    name = StoredTable.name(pairing: sides)
    (first, second) = StoredTable.columns(pairing: sides)
    self.index = index
  }

  /// Both columns, separated by a comma.
  var columns: String { "\(SQL.name(first)),\(SQL.name(second))" }
}
