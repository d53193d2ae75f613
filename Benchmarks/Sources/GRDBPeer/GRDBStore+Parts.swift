import GRDB

/// A record of one of a hundred tables.
public struct HandWrittenPart: FetchableRecord, Sendable {
  public var id: Int64
  public var name: String
  public var rank: Int64
  public var weight: Double?
  public var notes: String

  public init(row: GRDB.Row) {
    id = row[0]
    name = row[1]
    rank = row[2]
    weight = row[3]
    notes = row[4]
  }
}

extension GRDBStore {
  public func createParts(_ count: Int, rows: Int) throws {
    try pool.write { database in
      for number in 0..<count {
        try database.create(table: "part\(number)") { table in
          table.primaryKey("id", .integer)
          table.column("name", .text).notNull().indexed()
          table.column("rank", .integer).notNull()
          table.column("weight", .double)
          table.column("notes", .text).notNull()
        }
        for row in 1...rows {
          try database.execute(
            sql: "INSERT INTO part\(number) VALUES(?,?,?,?,?)", arguments: [row, "part \(row)", row, 0.5, "notes"])
        }
      }
    }
  }

  /// The rank of the part with a name.
  public func rank(of name: String, in table: Int) throws -> Int64? {
    try pool.read { database in
      try HandWrittenPart.fetchOne(database, sql: "SELECT * FROM part\(table) WHERE name=?", arguments: [name])?.rank
    }
  }
}
