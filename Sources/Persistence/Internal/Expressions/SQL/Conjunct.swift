/// One of the conditions that must all be true.
struct Conjunct {
  /// SQL that is true, or else false or NULL.
  let sql: String
  /// What of the row's own table an index may find it by.
  var column: ComparedColumn?
  /// The ways to find what makes it true by an index on another table.
  var starts: [RelatedStart] = []
}

/// A column that is compared with values.
struct ComparedColumn {
  /// Stands for the id, which is no attribute.
  static let id = -1

  let slot: Int
  /// Whether for equality, after which the next column of an index counts.
  let isExact: Bool
}

extension [Conjunct] {
  /// For each index of the class that is of use, those of the conditions that it answers.
  func indexed(in entity: Entity) -> [[Int]] {
    var result: [[Int]] = []
    for slots in [[ComparedColumn.id]] + entity.indexes.map(\.slots) {
      var found: [Int] = []
      for slot in slots {
        let here = indices.filter { self[$0].column?.slot == slot }
        found += here
        if !here.contains(where: { self[$0].column?.isExact == true }) { break }
      }
      if !found.isEmpty, !result.contains(found) { result.append(found) }
    }
    return result
  }
}

/// A way to answer a condition on related objects: from them to the objects that lead to them, by indexes.
struct RelatedStart {
  private struct Step {
    let table: String
    let link: String
    /// What must be true of the tables before, so that this one is looked at.
    let conditions: [String]
  }

  /// The first table, and what an index on it finds; nil if all of it is read.
  private let table: String
  private let first: String?
  private var steps: [Step] = []
  /// What of the object's row leads to the related ones, and what it must be equal to.
  private(set) var column = ""
  private(set) var key = ""
  /// Whether an object is found once at most: each step follows a to-one back.
  private(set) var isUnique = true
  /// What must be true of the tables since the last step.
  private var conditions: [String]

  init(_ table: String, first: String?, _ conditions: [String]) {
    self.table = table
    self.first = first
    self.conditions = conditions
  }

  /// Goes on to another table, of which more must be true.
  mutating func join(_ table: String, on link: String, _ conditions: [String] = []) {
    steps.append(Step(table: table, link: link, conditions: self.conditions))
    self.conditions = conditions
  }

  /// Ends with a key that a column of the row of the object itself must be equal to.
  mutating func end(_ key: String, _ column: String, isToOne: Bool) {
    self.key = key
    self.column = column
    isUnique = isUnique && isToOne
  }

  /// `FROM … WHERE …` for the objects, of which more must be true. The tables are read in this order; where an object
  /// could be found more than once, SQLite makes a list of the keys first.
  func text(for entity: Entity, _ others: [String]) -> String {
    let joins = table + steps.map { " CROSS JOIN \($0.table) ON \($0.link)" }.joined()
    let conditions = steps.flatMap(\.conditions) + conditions
    let objects = "\(entity.table) AS t0"
    if isUnique {
      return " FROM \(joins) CROSS JOIN \(objects) ON \(column) = \(key)" + Self.filter(conditions + others)
    }
    let keys = "\(column) IN (SELECT \(key) FROM \(joins)\(Self.filter(conditions)))"
    return " FROM \(objects)" + Self.filter([keys] + others)
  }

  private static func filter(_ conditions: [String]) -> String {
    conditions.isEmpty ? "" : " WHERE " + SQLGenerator.joined(conditions, " AND ")
  }

  /// SQL that counts the rows that this form reads, at most `limit`.
  func count(in entity: Entity, limit: String) -> String {
    "(SELECT count(*) FROM (SELECT 1\(rows(in: entity)) LIMIT \(limit)))"
  }

  /// SQL that finds a row where this form reads `limit` rows or more: quicker than to count them.
  func reaches(_ limit: Int64, in entity: Entity) -> String {
    "SELECT 1\(rows(in: entity)) LIMIT 1 OFFSET \(limit - 1)"
  }

  /// The rows that this form reads. One that leads to no further one counts as well: so nothing is read that does not
  /// count.
  private func rows(in entity: Entity) -> String {
    var all = self
    // Of an object's own id there is one row at most.
    if column != "t0.\(SQL.name(SQL.id))" { all.join(entity.table + " AS t0", on: "\(column) = \(key)") }
    let joins = all.steps.map { " LEFT JOIN \($0.table) ON " + SQLGenerator.joined([$0.link] + $0.conditions, " AND ") }
    let filter = first.map { " WHERE \($0)" } ?? ""
    return " FROM \(table)\(joins.joined())\(filter)"
  }
}
