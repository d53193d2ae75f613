/// One operand of a conjunction.
struct Conjunct {
  /// SQL that is true, false or NULL.
  let sql: String
  /// The column of the row's own table through which an index can find it.
  var column: ComparedColumn?
  /// The same, if it is a condition on related objects.
  var related: RelatedKeys?
  /// The parameter for the text, if this is a search for the row in all of its searchable attributes.
  var search: Int?
  /// The SQL as it stands in the condition of an index, if the class has such indexes.
  var indexCondition: String?
}

/// A column that is compared with values.
struct ComparedColumn {
  enum Source: Hashable {
    case id
    case part(EntityIndex.Part)
    /// The folded texts of an attribute.
    case folded(slot: Int)
  }

  let source: Source
  /// Whether it is compared for equality. Only then can the index's next column also be used.
  let isExact: Bool
}

extension [Conjunct] {
  /// For each useful index of the class, the conditions that it can evaluate.
  func indexed(in entity: Entity) -> [[Int]] {
    var result: [[Int]] = []
    func add(_ sources: [ComparedColumn.Source], within condition: [Int] = []) {
      var found: [Int] = []
      for source in sources {
        let here = indices.filter { self[$0].column?.source == source }
        found += here
        if !here.contains(where: { self[$0].column?.isExact == true }) { break }
      }
      if found.isEmpty { return }
      found += condition.filter { !found.contains($0) }
      if !result.contains(found) { result.append(found) }
    }
    add([.id])
    for index in entity.indexes {
      let condition = (index.condition?.conjuncts ?? []).map { wanted in
        firstIndex { $0.indexCondition?.hasSameBytes(as: wanted) == true }
      }
      if condition.contains(nil) { continue }
      add(index.parts.map { $0.isFolded ? .folded(slot: $0.slot) : .part($0) }, within: condition.compactMap { $0 })
    }
    for slot in entity.columns.indices where entity.columns[slot].isFolded { add([.folded(slot: slot)]) }
    return result
  }
}

/// A condition on related objects as a condition on the key that leads to them, so that SQLite can begin with them.
struct RelatedKeys {
  /// The column of the object's row that refers to the related rows.
  let column: String
  /// The query for the keys.
  let keys: String
  /// Whether each key leads to objects of its own, because all relationships on the way are to-one.
  let isToOne: Bool
  /// The related table, if no index on it finds the rows.
  let scanned: String?

  var sql: String { "\(column) IN (\(keys))" }

  /// SQL that counts the keys or the objects to which they lead, whichever are more, or returns nil if these are not
  /// fewer than `limit`. A table that would be read as a whole counts with its size.
  func count(in entity: Entity, below limit: String) -> String {
    func count(_ rows: String) -> String { "(SELECT count(*) FROM (\(rows) LIMIT \(limit)))" }
    let objects = "SELECT 1 FROM \(entity.table) AS t0 WHERE \(column) IN (\(keys) LIMIT \(limit))"
    let largest = "nullif(max(\(count(keys)),\(count(objects))),\(limit))"
    guard let scanned else { return "SELECT \(largest)" }
    return "SELECT CASE WHEN NOT EXISTS(SELECT 1 FROM \(scanned) LIMIT 1 OFFSET \(limit)-1) THEN \(largest) END"
  }
}
