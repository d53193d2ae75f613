/// A tracked class, its attributes, and the names of its tables. Names for SQL are in double quotes.
package struct TrackedClassDescription: Sendable {
  /// An attribute or a to-one relationship.
  package struct Attribute: Sendable {
    /// The property's name.
    package let property: String
    /// The name of the column that is read, which is that of the sort key for a decimal.
    package let column: String
    package let slot: Int
    package let storageClass: StorageClass
    /// The class that a to-one relationship leads to. Nil for an attribute.
    package let target: String?
    package let isUnique: Bool
    /// Whether its changes stay in this store.
    package let isIgnored: Bool
    /// Whether its changes do not belong together with others of the same commit.
    package let isIndependent: Bool

    /// Whether a stored value is of the attribute's type.
    package let isReadable: @Sendable (StoredValue) -> Bool

    package var isReference: Bool { target != nil }
    /// The column's name for SQL.
    package var quoted: String { SQL.name(column) }
  }

  /// A many-to-many relationship.
  package struct List: Sendable {
    package let property: String
    /// The class of the members.
    package let target: String
    package let isOrdered: Bool
    /// Whether its changes do not belong together with others of the same commit.
    package let isIndependent: Bool
    let base: BaseList
    /// The number of the join table in the schema, whether the owner is its first column, and the number among the
    /// to-many relationships of the class.
    let join: Int
    let isFirst: Bool
    let relation: Int

    /// The name of the base table's column for SQL.
    package var quoted: String { SQL.name(property) }
    /// The names of the join table and of its columns for SQL.
    package var table: String { SQL.name(base.join) }
    package var owner: String { SQL.name(base.own) }
    package var member: String { SQL.name(base.other) }
  }

  /// The name of the class.
  package let name: String
  package let attributes: [Attribute]
  package let lists: [List]
  let base: BaseTable
  /// The number of the class in the schema.
  let index: Int

  /// The name of the class's table for SQL.
  package var table: String { SQL.name(name) }
  /// The name of the base table for SQL.
  package var baseTable: String { base.name }

  /// - Parameters:
  ///   - lists: The many-to-many relationships whose changes are captured, and those of them that do not tie.
  ///   - ignored: The slots whose changes are not captured.
  ///   - independent: The slots that do not tie.
  init(
    of entity: Entity, lists: [(relationship: Relationship, isIndependent: Bool)] = [], ignoring ignored: SlotSet,
    independent: SlotSet
  ) {
    name = entity.name
    self.lists = lists.compactMap { relationship, isIndependent in
      guard case .join(let join, let own, let other) = relationship.storage,
        let relation = relationship.declaration.relation
      else { return nil }
      return List(
        property: relationship.property, target: relationship.target.name, isOrdered: relationship.isOrdered,
        isIndependent: isIndependent,
        base: BaseList(
          name: relationship.property, join: join.name, own: own, other: other,
          order: relationship.isOrdered ? SQL.order(of: own) : nil), join: join.index, isFirst: own == join.first,
        relation: relation)
    }
    index = entity.index
    attributes = entity.columns.enumerated().map { slot, column in
      Attribute(
        property: column.property, column: column.keyName, slot: slot, storageClass: column.storageClass,
        target: entity.references[slot]?.target.name, isUnique: column.isUnique, isIgnored: ignored.contains(slot),
        isIndependent: independent.contains(slot), isReadable: column.isReadable)
    }
    base = BaseTable(
      of: name, attributes.filter { !$0.isIgnored }.map(\.column) + self.lists.map(\.property), self.lists.map(\.base))
  }
}
