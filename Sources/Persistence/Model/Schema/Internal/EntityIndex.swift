/// An index of a class. Identifies its columns by their slots.
struct EntityIndex: Sendable {
  struct Part: Hashable, Sendable {
    let slot: Int
    /// nil for the whole value.
    var field: FieldPath?
    /// Whether it is the folded text.
    var isFolded = false
  }

  let parts: [Part]
  let isUnique: Bool
  /// Which objects the index contains. nil for all.
  var condition: IndexCondition?

  var slots: [Int] { parts.map(\.slot) }

  /// Whether the index contains the columns of all objects.
  var isPlain: Bool { condition == nil && parts.allSatisfy { $0.field == nil } }

  func isSame(as other: EntityIndex) -> Bool {
    guard parts == other.parts, isUnique == other.isUnique else { return false }
    guard let condition, let second = other.condition else { return condition == nil && other.condition == nil }
    return condition.sql.hasSameBytes(as: second.sql)
  }
}

/// The condition of an index, as SQL without parameters, which the schema of a file cannot contain.
///
/// SQLite uses the index for a query that has each of these conjuncts, written in the same way. It compares them as
/// expressions, so the table's alias makes no difference.
struct IndexCondition: Sendable {
  let conjuncts: [String]
  /// The attributes and to-one relationships on which the condition depends.
  let slots: SlotSet
  /// The conjuncts that contain values. A query has parameters in their place, for which SQLite would prepare it again
  /// with each run in order to compare their values.
  let conjunctsWithValues: [String]

  var sql: String { conjuncts.joined(separator: " AND ") }
}
