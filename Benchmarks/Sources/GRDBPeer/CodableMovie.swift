import GRDB

/// A record by Codable alone, the form most apps start with.
public struct CodableMovie: Codable, FetchableRecord, PersistableRecord, Sendable {
  public static var databaseTableName: String { "movie" }

  public var id: Int64
  public var title: String
  public var popularity: Double?
  public var remoteID: Int64
  public var overview: String
  public var released: String
  public var votes: Int64
}
