/// One operand of a conjunction.
struct Conjunct {
  /// SQL that is true, false or NULL.
  let sql: String
  /// The column of the row's own table through which an index can find it.
  var column: ComparedColumn?
  /// The ways to find matching rows through an index on another table.
  var starts: [RelatedStart] = []
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
      add(index.parts.map { .part($0) }, within: condition.compactMap { $0 })
    }
    for slot in entity.columns.indices where entity.columns[slot].isFolded { add([.folded(slot: slot)]) }
    return result
  }
}

/// A way to evaluate a condition on related objects: it starts with them and follows indexes to the objects that refer
/// to them.
struct RelatedStart {
  private struct Step {
    let table: String
    let link: String
    /// The conditions on the previous tables that must be true before this one is read.
    let conditions: [String]
  }

  /// The first table, and the condition that an index on it evaluates, or nil if the whole table is read.
  private let table: String
  private let first: String?
  private var steps: [Step] = []
  /// The column of the object's row that refers to the related rows, and the key that it must be equal to.
  private(set) var column = ""
  private(set) var key = ""
  /// Whether an object is found at most once, because each step follows a to-one relationship backwards.
  private(set) var isUnique = true
  /// The conditions on the tables since the last step.
  private var conditions: [String]

  init(_ table: String, first: String?, _ conditions: [String]) {
    self.table = table
    self.first = first
    self.conditions = conditions
  }

  /// Continues with another table and further conditions.
  mutating func join(_ table: String, on link: String, _ conditions: [String] = []) {
    steps.append(Step(table: table, link: link, conditions: self.conditions))
    self.conditions = conditions
  }

  /// Ends with a key that a column of the object's own row must be equal to.
  mutating func end(_ key: String, _ column: String, isToOne: Bool) {
    self.key = key
    self.column = column
    isUnique = isUnique && isToOne
  }

  /// `FROM … WHERE …` for the objects, with further conditions. The tables are read in this order. If an object could
  /// be found more than once, SQLite first collects the keys in a list.
  func text(for entity: Entity, _ others: [String]) -> FilterForms.Text {
    let joins = table + steps.map { " CROSS JOIN \($0.table) ON \($0.link)" }.joined()
    let conditions = steps.flatMap(\.conditions) + conditions
    let objects = "\(entity.table) AS t0"
    if isUnique {
      let from = " FROM \(joins) CROSS JOIN \(objects) ON \(column) = \(key)"
      return FilterForms.Text(from: from, filter: Self.filter(conditions + others))
    }
    let keys = "\(column) IN (SELECT \(key) FROM \(joins)\(Self.filter(conditions)))"
    return FilterForms.Text(from: " FROM \(objects)", filter: Self.filter([keys] + others))
  }

  private static func filter(_ conditions: [String]) -> String {
    conditions.isEmpty ? "" : " WHERE " + SQLGenerator.joined(conditions, " AND ")
  }

  /// SQL that counts the rows that this form reads, up to `limit`.
  func count(in entity: Entity, limit: String) -> String {
    "(SELECT count(*) FROM (SELECT 1\(rows(in: entity)) LIMIT \(limit)))"
  }

  /// SQL that returns a row if this form reads at least `limit` rows. This is faster than counting them.
  func reaches(_ limit: Int64, in entity: Entity) -> String {
    "SELECT 1\(rows(in: entity)) LIMIT 1 OFFSET \(limit - 1)"
  }

  /// The rows that this form reads. Rows that lead to no further row are included, so that every row that is read is
  /// counted.
  private func rows(in entity: Entity) -> String {
    var all = self
    // For an object's own id there is at most one row.
    if column != "t0.\(SQL.name(SQL.id))" { all.join(entity.table + " AS t0", on: "\(column) = \(key)") }
    let joins = all.steps.map { " LEFT JOIN \($0.table) ON " + SQLGenerator.joined([$0.link] + $0.conditions, " AND ") }
    let filter = first.map { " WHERE \($0)" } ?? ""
    return " FROM \(table)\(joins.joined())\(filter)"
  }
}
