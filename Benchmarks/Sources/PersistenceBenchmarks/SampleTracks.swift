import Persistence
import PersistenceModel
import RawSQLite

/// A million tracks of a hundred thousand artists, made from their index alone.
enum SampleTracks {
  static let count = 1_000_000
  static let perArtist = 10
  static let kinds = 100
  static let commits = 10
  /// Of one album.
  static let members = 500_000

  static func artist(_ number: Int) -> String { "Artist \(number)" }

  static func raw(_ index: Int) -> RawStore.Track {
    (
      Int64(index + 1), "Track \(index)", score(index), day(index), Int64(index % kinds),
      "Notes about the track number \(index)", Int64(index / perArtist + 1)
    )
  }

  /// Each value once, all over the rows.
  private static func score(_ index: Int) -> Int64 { Int64(index * 7919 % count) }
  private static func day(_ index: Int) -> Int64 { Int64(index * 104_729 % count) }

  /// One of the commits: its artists, and their tracks.
  static func insert(commit: Int, into objects: ObjectSpace) {
    let size = count / commits
    for number in (commit * size / perArtist)..<((commit + 1) * size / perArtist) {
      let artist = objects.insert(Artist.self)
      artist.name = self.artist(number)
      for index in (number * perArtist)..<((number + 1) * perArtist) {
        let (_, title, score, day, kind, notes, _) = raw(index)
        let track = objects.insert(Track.self)
        track.title = title
        track.score = score
        track.day = day
        track.kind = kind
        track.notes = notes
        track.artist = artist
      }
    }
  }

  static func insert(commit: Int, into store: RawStore) throws {
    let size = count / commits
    try store.insertTracks(
      artists: (commit * size / perArtist)..<((commit + 1) * size / perArtist), each: perArtist, name: artist, raw)
  }
}
