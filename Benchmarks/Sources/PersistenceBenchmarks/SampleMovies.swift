import GRDBPeer
import RawSQLite

/// The rows that every contender writes and reads, made from their index alone.
enum SampleMovies {
  static let count = 100_000
  static let released = "2020-01-01"

  static func title(_ index: Int) -> String { "Movie \(index)" }

  static func overview(_ index: Int) -> String {
    "An overview of the movie number \(index) that is longer than a small string"
  }

  /// Remote ids all over the rows, each once.
  static func scattered(_ count: Int) -> [Int64] { (0..<count).map { Int64($0 * 7919 % SampleMovies.count) } }

  static func raw(_ index: Int) -> RawStore.Movie {
    (Int64(index + 1), title(index), Double(index), Int64(index), overview(index), released, 3)
  }

  static func handWritten(_ index: Int) -> HandWrittenMovie {
    HandWrittenMovie(
      id: Int64(index + 1), title: title(index), popularity: Double(index), remoteID: Int64(index),
      overview: overview(index), released: released, votes: 3)
  }
}
