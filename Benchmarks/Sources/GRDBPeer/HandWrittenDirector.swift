import GRDB

struct HandWrittenDirector: FetchableRecord, TableRecord {
  static var databaseTableName: String { "director" }
  static let films = hasMany(HandWrittenFilm.self, using: ForeignKey(["director"]))

  var id: Int64
  var name: String

  init(row: GRDB.Row) {
    id = row[0]
    name = row[1]
  }
}

struct HandWrittenFilm: FetchableRecord, TableRecord {
  static var databaseTableName: String { "film" }

  var id: Int64
  var title: String
  var year: Int64
  var director: Int64

  init(row: GRDB.Row) {
    id = row[0]
    title = row[1]
    year = row[2]
    director = row[3]
  }
}

/// A director with the films, without Codable anywhere.
struct HandWrittenDirectorInfo: FetchableRecord {
  var director: HandWrittenDirector
  var films: [HandWrittenFilm]

  init(row: GRDB.Row) {
    director = HandWrittenDirector(row: row)
    films = row.prefetchedRows["films"].map { rows in rows.map { HandWrittenFilm(row: $0) } } ?? []
  }
}
