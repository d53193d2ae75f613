import BenchmarkSupport
import GRDBPeer
import Persistence
import PersistenceModel
import RawSQLite

private let owners = 1_000
private let members = 100

extension Benchmark {
  /// Queries across a relationship: 100 000 films of 1 000 directors.
  static var relationships: [Benchmark] {
    let stores = DirectorStores(owners: owners, members: members)
    return [sorted(stores), counts(stores)]
  }

  /// The first films by their directors' names, without objects.
  private static func sorted(_ stores: DirectorStores) -> Benchmark {
    let sql = """
      SELECT film.title,director.name FROM film JOIN director ON director.id=film.director
      ORDER BY director.name,film.id LIMIT 500
      """
    return Benchmark(
      "500 films with their director's name, sorted by it", unit: "ms",
      ours: {
        let context = try await stores.context()
        return try await context.perform { objects in
          let request = FetchDescriptor(Film.self, sort: [.ascending { $0.director.name }], limit: 500)
          var rows: [(String, String?)] = []
          let time = try milliseconds {
            rows = try objects.values(in: request) { ($0.title, $0.director.name.optional) }
          }
          try expect(rows.count, 500, rows.last?.1, "Director 101")
          return time
        }
      },
      peers: [
        Peer("raw", must: 0.75, goal: 0.9) {
          let store = try stores.raw()
          var rows: [(String, String)] = []
          let time = try milliseconds { rows = try store.pairs(sql) }
          try expect(rows.count, 500, rows.last?.1, "Director 101")
          return time
        }
      ])
  }

  /// All directors with the numbers of their films.
  private static func counts(_ stores: DirectorStores) -> Benchmark {
    let sql = "SELECT id,name,(SELECT count(*) FROM film WHERE director=director.id) FROM director ORDER BY id"
    return Benchmark(
      "the number of films of each of 1 000 directors", unit: "ms",
      ours: {
        let context = try await stores.context()
        return try await context.perform { objects in
          var rows: [(object: Director, value: Int)] = []
          let time = try milliseconds {
            rows = try objects.fetch(FetchDescriptor(Director.self), with: { $0.films.count })
          }
          try expect(rows.count, owners, rows.last?.value, members)
          return time
        }
      },
      peers: [
        Peer("raw", must: 0.75, goal: 0.9) {
          let store = try stores.raw()
          var rows: [(Int64, String, Int64)] = []
          let time = try milliseconds { rows = try store.counts(sql) }
          try expect(rows.count, owners, rows.last?.2, Int64(members))
          return time
        },
        Peer("GRDB annotated(with: films.count)", must: 1, goal: 1.2) {
          let store = try stores.grdb()
          var counts: [Int] = []
          let time = try milliseconds { counts = try store.countFilms() }
          try expect(counts.count, owners, counts.last, members)
          return time
        },
      ])
  }

  /// 100 000 rows of a query in SQL, as structs.
  static var select: Benchmark {
    let stores = FilledStores(Movie.self)
    return Benchmark(
      "100 000 rows of SQL into structs", unit: "ms",
      ours: {
        let context = try await stores.container().newContext()
        return try await context.perform { objects in
          var rows: [SelectedMovie] = []
          let time = try milliseconds {
            rows = try objects.select(
              "SELECT *, \(\Movie.id) AS id FROM \(Movie.self) ORDER BY \(\Movie.id)", as: SelectedMovie.self)
          }
          try expect(rows.count, SampleMovies.count, rows.last?.id, Int64(SampleMovies.count))
          return time
        }
      },
      peers: [
        Peer("GRDB Codable", must: 2, goal: 3) {
          let store = try stores.grdb()
          var rows: [CodableMovie] = []
          let time = try milliseconds { rows = try store.codable() }
          try expect(rows.count, SampleMovies.count, rows.last?.id, Int64(SampleMovies.count))
          return time
        }
      ])
  }
}

private struct SelectedMovie: Decodable {
  var id: Int64
  var title: String
  var popularity: Double?
  var remoteID: Int64
  var overview: String
  var released: String
  var votes: Int64
}

private func expect<Value: Equatable>(_ count: Int, _ expected: Int, _ last: Value?, _ value: Value) throws {
  guard count == expected, last == value else {
    throw WrongResult("\(count) rows of \(expected), the last with \(last.map { "\($0)" } ?? "nothing")")
  }
}
