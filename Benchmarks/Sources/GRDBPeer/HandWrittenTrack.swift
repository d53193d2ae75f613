import GRDB

/// A record that reads its columns by index, GRDB's fastest form.
public struct HandWrittenTrack: FetchableRecord, TableRecord, Sendable {
  public static var databaseTableName: String { "track" }
  static let artist = belongsTo(HandWrittenArtist.self, using: ForeignKey(["artist"]))

  public var id: Int64
  public var title: String
  public var score: Int64
  public var day: Int64
  public var kind: Int64
  public var notes: String
  public var artist: Int64?

  public init(row: GRDB.Row) {
    id = row[0]
    title = row[1]
    score = row[2]
    day = row[3]
    kind = row[4]
    notes = row[5]
    artist = row[6]
  }
}

/// The owner of tracks.
public struct HandWrittenArtist: FetchableRecord, TableRecord, Sendable {
  public static var databaseTableName: String { "artist" }

  public var id: Int64
  public var name: String

  public init(row: GRDB.Row) {
    id = row[0]
    name = row[1]
  }
}
