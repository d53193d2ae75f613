import GRDB

extension GRDBStore {
  public func createDirectors(_ count: Int, films: Int) throws {
    try pool.write { database in
      try database.create(table: "director") { table in
        table.primaryKey("id", .integer)
        table.column("name", .text).notNull()
      }
      try database.create(table: "film") { table in
        table.primaryKey("id", .integer)
        table.column("title", .text).notNull()
        table.column("year", .integer).notNull()
        table.column("director", .integer).notNull().indexed().references("director")
      }
      for owner in 0..<count {
        try CodableDirector(id: Int64(owner + 1), name: "Director \(owner)").insert(database)
        for place in 0..<films {
          try CodableFilm(
            id: Int64(owner * films + place + 1), title: "Film \(owner).\(place)", year: Int64(place),
            director: Int64(owner + 1)
          ).insert(database)
        }
      }
    }
  }

  /// Every director's films, walked: the sum of the years.
  public func walkCodable() throws -> Int64 {
    try pool.read { database in
      try CodableDirectorInfo.fetchAll(database, CodableDirector.including(all: CodableDirector.films))
        .reduce(0) { $0 + $1.films.reduce(0) { $0 + $1.year } }
    }
  }

  /// The same by hand-written records.
  public func walkHandWritten() throws -> Int64 {
    try pool.read { database in
      try HandWrittenDirectorInfo.fetchAll(
        database, HandWrittenDirector.including(all: HandWrittenDirector.films)
      ).reduce(0) { $0 + $1.films.reduce(0) { $0 + $1.year } }
    }
  }

  /// The number of each director's films, by the association.
  public func countFilms() throws -> [Int] {
    try pool.read { database in
      let request = CodableDirector.annotated(with: CodableDirector.films.count).order(Column("id"))
      return try CountedDirector.fetchAll(database, request).map(\.filmCount)
    }
  }
}
