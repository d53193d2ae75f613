import GRDB

struct CodableDirector: Codable, FetchableRecord, PersistableRecord {
  static var databaseTableName: String { "director" }
  static let films = hasMany(CodableFilm.self, using: ForeignKey(["director"]))

  var id: Int64
  var name: String
}

struct CodableFilm: Codable, FetchableRecord, PersistableRecord {
  static var databaseTableName: String { "film" }

  var id: Int64
  var title: String
  var year: Int64
  var director: Int64
}

/// A director with the films, as `including(all:)` gives them.
struct CodableDirectorInfo: Codable, FetchableRecord {
  var director: CodableDirector
  var films: [CodableFilm]
}

/// A director with the number of films, as `annotated(with:)` gives it.
struct CountedDirector: Codable, FetchableRecord {
  var id: Int64
  var name: String
  var filmCount: Int
}
