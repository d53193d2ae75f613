import BenchmarkSupport
import GRDBPeer
import Persistence
import PersistenceModel
import RawSQLite

/// What a refresh makes of a row: some keep what they had, the others change in different attributes.
private enum Change {
  case none, votes, votesAndPopularity, overview, deletion

  /// The same for every contender, without an order that a run of ids could use.
  init(of id: Int64) {
    switch (UInt64(bitPattern: id) &* 0x9E37_79B9_7F4A_7C15) >> 32 % 20 {
    case 0..<6: self = .votes
    case 6..<10: self = .votesAndPopularity
    case 10..<12: self = .overview
    case 12: self = .deletion
    default: self = .none
    }
  }
}

private let votes: Int64 = 4
private let popularity = 0.5
private let overview = "Another overview, which is as long as the one that the movie had before it"

extension Benchmark {
  /// What a refresh changes, in one `persist`: from the first change to the commit, objects in memory.
  static var mixedChanges: Benchmark {
    let stores = FilledStores(Movie.self)
    return Benchmark(
      "30 % votes, 20 % votes and popularity, 10 % texts, 5 % deleted, in one persist", unit: "ms",
      ours: {
        try await stores.timeOfSave { objects, movie in
          switch Change(of: movie.remoteID + 1) {
          case .none: break
          case .votes: movie.votes = votes
          case .votesAndPopularity:
            movie.votes = votes
            movie.popularity = popularity
          case .overview: movie.overview = overview
          case .deletion: objects.delete(movie)
          }
        } check: {
          try expectVotes($0.aggregate(over: FetchDescriptor(Movie.self)) { $0.sum { $0.votes } })
        }
      },
      peers: [
        Peer("the raw loop", must: 1 / 2, goal: 1 / 1.4) {
          let workspace = try Workspace()
          let store = try stores.copyOfRaw(to: workspace)
          try expectCount(store.movies().count)
          let time = try milliseconds {
            try store.change(1...Int64(SampleMovies.count)) { id in
              switch Change(of: id) {
              case .none: .none
              case .votes: .votes(votes)
              case .votesAndPopularity: .votesAndPopularity(votes, popularity)
              case .overview: .overview(overview)
              case .deletion: .delete
              }
            }
          }
          try expectVotes(store.sumOfVotes())
          return withExtendedLifetime(workspace) { time }
        },
        Peer("GRDB updateChanges and delete", must: 3, goal: 5) {
          let workspace = try Workspace()
          let store = try stores.copyOfGRDB(to: workspace)
          let time = try store.changeEach {
            try milliseconds($0)
          } by: { movie in
            switch Change(of: movie.remoteID + 1) {
            case .none: return .none
            case .votes: return .update { $0.votes = votes }
            case .votesAndPopularity:
              return .update {
                $0.votes = votes
                $0.popularity = popularity
              }
            case .overview: return .update { $0.overview = overview }
            case .deletion: return .delete
            }
          }
          try expectVotes(store.sumOfVotes())
          return withExtendedLifetime(workspace) { time }
        },
      ])
  }
}

private let expectedVotes = (1...Int64(SampleMovies.count)).reduce(into: Int64(0)) { sum, id in
  switch Change(of: id) {
  case .votes, .votesAndPopularity: sum += votes
  case .none, .overview: sum += 3
  case .deletion: break
  }
}

private func expectVotes(_ sum: Int64) throws {
  guard sum == expectedVotes else { throw WrongResult("\(sum) votes") }
}
