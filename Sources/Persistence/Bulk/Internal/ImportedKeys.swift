/// The values by which an import finds the objects of relationships.
///
/// A statement that writes rows finds the objects of to-one relationships itself. The values for which there is no
/// object yet, and the values for to-many relationships, are kept in a temporary table until all rows are written. For
/// each set of members, the table also has a row at position 0.
struct ImportedKeys {
  private let entity: Int
  private let depth: Int
  /// The values of the statement that is being bound, for each row and lookup.
  private(set) var values: [[StoredValue]] = []
  /// The numbers of the lookups with values in the table.
  var kept: Set<Int> = []
  /// The number of values that were ignored.
  var unknown = 0

  /// An import may begin while another one of the same class binds its values.
  init(of entity: Int, within outer: ImportedKeys?) {
    self.entity = entity
    depth = outer.map { $0.depth + 1 } ?? 0
  }

  mutating func begin() { values.removeAll(keepingCapacity: true) }

  mutating func add(_ values: [StoredValue]) { self.values.append(values) }

  private var name: String { "_larder_keys_\(entity)_\(depth)" }

  /// The columns have types, because SQLite compares ids with columns without a type without their index.
  var creation: [String] {
    [
      "CREATE TEMP TABLE IF NOT EXISTS \(name)(number INTEGER,owner INTEGER,position INTEGER,row INTEGER,key,"
        + "target INTEGER,PRIMARY KEY(number,owner,position)) WITHOUT ROWID",
      removal,
    ]
  }

  /// For members that have only one owner, which is looked up by the member.
  var index: String { "CREATE INDEX IF NOT EXISTS temp.\(name)_targets ON \(name)(number,target)" }

  var removal: String { "DELETE FROM temp.\(name)" }

  /// ?1 is the number of the relationship, ?2 the owner, ?3 the position, ?4 the number of the row, and ?5 the value.
  var insertion: String { "INSERT INTO temp.\(name)(number,owner,position,row,key) VALUES(?,?,?,?,?)" }

  /// Removes what an earlier row has set.
  var replacement: String { "\(removal) WHERE number=? AND owner=?" }

  /// - Parameter object: A query for the object that has a value.
  func resolution(of number: Int, _ object: (String) -> String) -> String {
    "UPDATE temp.\(name) SET target=\(object("\(name).key")) WHERE number=\(number) AND key NOT NULL"
  }

  /// Counts the values without an object, and returns the number of the first row that has one.
  func failures(of number: Int) -> String {
    "SELECT count(*),min(row) FROM temp.\(name) WHERE number=\(number) AND key NOT NULL AND target IS NULL"
  }

  /// Removes repeated members of the same owner. If a member can have only one owner, the last row has it.
  func deduplication(of number: Int, isToOne: Bool) -> String {
    let partition = isToOne ? "target" : "owner,target"
    return "\(removal) WHERE number=\(number) AND (owner,position) IN (SELECT owner,position FROM "
      + "(SELECT owner,position,row_number() OVER (PARTITION BY \(partition) ORDER BY row DESC,position) AS place "
      + "FROM temp.\(name) WHERE number=\(number) AND target NOT NULL) WHERE place>1)"
  }

  /// A query for columns of the members. The plus keeps SQLite from walking through all of them by their targets.
  func members(_ columns: String, of number: Int, _ condition: String = "1") -> String {
    "(SELECT \(columns) FROM temp.\(name) WHERE number=\(number) AND +target NOT NULL AND \(condition))"
  }

  /// A query for the owners of which a relationship was set.
  func owners(of number: Int) -> String { "(SELECT owner FROM temp.\(name) WHERE number=\(number))" }
}
