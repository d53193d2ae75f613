import GRDB

/// A record that reads and writes its columns by index, GRDB's fastest form.
public struct HandWrittenMovie: FetchableRecord, PersistableRecord, Sendable {
  public static var databaseTableName: String { "movie" }

  public var id: Int64
  public var title: String
  public var popularity: Double?
  public var remoteID: Int64
  public var overview: String
  public var released: String
  public var votes: Int64

  public init(
    id: Int64, title: String, popularity: Double?, remoteID: Int64, overview: String, released: String, votes: Int64
  ) {
    self.id = id
    self.title = title
    self.popularity = popularity
    self.remoteID = remoteID
    self.overview = overview
    self.released = released
    self.votes = votes
  }

  public init(row: GRDB.Row) {
    id = row[0]
    title = row[1]
    popularity = row[2]
    remoteID = row[3]
    overview = row[4]
    released = row[5]
    votes = row[6]
  }

  public func encode(to container: inout PersistenceContainer) {
    container["id"] = id
    container["title"] = title
    container["popularity"] = popularity
    container["remoteID"] = remoteID
    container["overview"] = overview
    container["released"] = released
    container["votes"] = votes
  }
}
