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

  /// The name of the class.
  package let name: String
  package let attributes: [Attribute]
  let base: BaseTable
  /// The number of the class in the schema.
  let index: Int

  /// The name of the class's table for SQL.
  package var table: String { SQL.name(name) }
  /// The name of the base table for SQL.
  package var baseTable: String { base.name }

  /// - Parameters:
  ///   - ignored: The slots whose changes are not captured.
  ///   - independent: The slots that do not tie.
  init(of entity: Entity, ignoring ignored: SlotSet, independent: SlotSet) {
    name = entity.name
    index = entity.index
    attributes = entity.columns.enumerated().map { slot, column in
      Attribute(
        property: column.property, column: column.keyName, slot: slot, storageClass: column.storageClass,
        target: entity.references[slot]?.target.name, isUnique: column.isUnique, isIgnored: ignored.contains(slot),
        isIndependent: independent.contains(slot), isReadable: column.isReadable)
    }
    base = BaseTable(of: name, attributes.filter { !$0.isIgnored }.map(\.column))
  }
}
