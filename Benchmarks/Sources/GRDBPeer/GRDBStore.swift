import GRDB

/// GRDB as its documentation recommends it: a pool, records by hand or by Codable.
public struct GRDBStore: Sendable {
  let pool: DatabasePool

  public init(path: String) throws {
    var configuration = Configuration()
    // Otherwise a read beside a writer sometimes fails because the database is locked.
    configuration.busyMode = .timeout(5)
    pool = try DatabasePool(path: path, configuration: configuration)
  }

  public func close() throws { try pool.close() }

  public func createMovies() throws {
    try pool.write { database in
      try database.create(table: "movie") { table in
        table.primaryKey("id", .integer)
        table.column("title", .text).notNull()
        table.column("popularity", .double)
        table.column("remoteID", .integer).notNull()
        table.column("overview", .text).notNull()
        table.column("released", .text).notNull()
        table.column("votes", .integer).notNull()
      }
    }
  }

  public func indexRemoteIDs() throws {
    try pool.write { try $0.create(index: "movie_remoteID", on: "movie", columns: ["remoteID"], options: .unique) }
  }

  public func insert(_ movies: (Int) -> HandWrittenMovie, count: Int) throws {
    try pool.write { database in
      for index in 0..<count { try movies(index).insert(database) }
    }
  }

  public func handWritten() throws -> [HandWrittenMovie] {
    try pool.read { try HandWrittenMovie.order(Column("id")).fetchAll($0) }
  }

  public func codable() throws -> [CodableMovie] {
    try pool.read { try CodableMovie.order(Column("id")).fetchAll($0) }
  }
}
