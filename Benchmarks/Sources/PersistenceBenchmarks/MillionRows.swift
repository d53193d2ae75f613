import BenchmarkSupport
import GRDBPeer
import Persistence
import PersistenceModel
import RawSQLite

extension Benchmark {
  /// Queries over a million rows with four indexes and a foreign key.
  static var millionRows: [Benchmark] {
    let stores = TrackStores()
    return [toOneCondition(stores), toManyCondition(stores), compoundIndex(stores), range(stores)]
  }

  private static let columns = "track.id,track.title,track.score,track.day,track.kind,track.notes,track.artist"

  /// Ten tracks by the name of their artist.
  private static func toOneCondition(_ stores: TrackStores) -> Benchmark {
    let names = (0..<1_000).map { SampleTracks.artist($0 * 97) }
    let sql =
      "SELECT \(columns) FROM track JOIN artist ON artist.id=track.artist WHERE artist.name=? ORDER BY track.id"
    return Benchmark(
      "a million tracks: 10 by a to-one's attribute", unit: "µs",
      ours: {
        try await stores.measure(names, expecting: 10_000) { objects, name in
          try objects.fetch(Track.self, where: { $0.artist.name == name }).count
        }
      },
      peers: [
        Peer("raw") {
          let store = try await stores.raw()
          return try measure(names, expecting: 10_000) { try store.tracks(sql, $0).count }
        },
        Peer("GRDB records, cached SQL", must: 0.85, goal: 1) {
          let store = try await stores.grdb()
          return try measure(names, expecting: 10_000) { try store.tracks(sql, texts: names) }
        },
        Peer("GRDB records, query interface") {
          let store = try await stores.grdb()
          return try measure(names, expecting: 10_000) { try store.tracks(ofArtistsNamed: names) }
        },
      ])
  }

  /// Five artists, of a hundred thousand, by the score of one of their tracks.
  private static func toManyCondition(_ stores: TrackStores) -> Benchmark {
    let bounds = (0..<1_000).map { Int64($0) * 900 }
    let sql =
      "SELECT id,name FROM artist WHERE id IN (SELECT artist FROM track WHERE score>=? AND score<?) ORDER BY id"
    return Benchmark(
      "a million tracks: 5 artists by a to-many's attribute", unit: "µs",
      ours: {
        try await stores.measure(bounds, expecting: 5_000) { objects, bound in
          try objects.fetch(Artist.self, where: { $0.tracks.contains { $0.score.isIn(bound..<bound + 5) } }).count
        }
      },
      peers: [
        Peer("raw") {
          let store = try await stores.raw()
          return try measure(bounds, expecting: 5_000) { try store.artists(sql, [$0, $0 + 5]).count }
        },
        Peer("GRDB records, cached SQL", must: 0.7, goal: 1) {
          let store = try await stores.grdb()
          return try measure(bounds, expecting: 5_000) {
            try store.artists(sql, numbers: bounds.map { [$0, $0 + 5] })
          }
        },
      ])
  }

  /// A hundred tracks of one kind, the earliest.
  private static func compoundIndex(_ stores: TrackStores) -> Benchmark {
    let kinds = (0..<Int64(SampleTracks.kinds)).map { $0 }
    let sql = "SELECT \(columns) FROM track WHERE kind=? ORDER BY day LIMIT 100"
    return Benchmark(
      "a million tracks: 100 filtered and sorted by an index", unit: "µs",
      ours: {
        try await stores.measure(kinds, expecting: 10_000) { objects, kind in
          try objects.fetch(Track.self, where: { $0.kind == kind }, sort: [.ascending(\.day)], limit: 100).count
        }
      },
      peers: [
        Peer("raw") {
          let store = try await stores.raw()
          return try measure(kinds, expecting: 10_000) { try store.tracks(sql, [$0]).count }
        },
        Peer("GRDB records, cached SQL", must: 0.85, goal: 1.1) {
          let store = try await stores.grdb()
          return try measure(kinds, expecting: 10_000) { try store.tracks(sql, numbers: kinds.map { [$0] }) }
        },
      ])
  }

  /// Ten thousand tracks by a range of an attribute.
  private static func range(_ stores: TrackStores) -> Benchmark {
    let bounds = (0..<10).map { Int64($0) * 90_000 }
    let sql = "SELECT \(columns) FROM track WHERE day>=? AND day<? ORDER BY day"
    return Benchmark(
      "a million tracks: 10 000 by a range of an index", unit: "µs",
      ours: {
        try await stores.measure(bounds, expecting: 100_000) { objects, bound in
          try objects.fetch(Track.self, where: { $0.day.isIn(bound..<bound + 10_000) }, sort: [.ascending(\.day)]).count
        }
      },
      peers: [
        Peer("raw") {
          let store = try await stores.raw()
          return try measure(bounds, expecting: 100_000) { try store.tracks(sql, [$0, $0 + 10_000]).count }
        },
        Peer("GRDB records, cached SQL", must: 0.9, goal: 1.1) {
          let store = try await stores.grdb()
          return try measure(bounds, expecting: 100_000) {
            try store.tracks(sql, numbers: bounds.map { [$0, $0 + 10_000] })
          }
        },
      ])
  }
}

/// What one of the queries took, in microseconds.
private func measure<Value>(
  _ values: [Value], expecting count: Int, _ find: (Value) throws -> Int
) throws -> Double {
  var found = 0
  let time = try milliseconds { for value in values { found += try find(value) } }
  try expectFound(found, count)
  return time * 1000 / Double(values.count)
}

/// The same, where all queries are done in one call.
private func measure<Value>(_ values: [Value], expecting count: Int, _ findAll: () throws -> Int) throws -> Double {
  var found = 0
  let time = try milliseconds { found = try findAll() }
  try expectFound(found, count)
  return time * 1000 / Double(values.count)
}

private func expectFound(_ found: Int, _ count: Int) throws {
  guard found == count else { throw WrongResult("\(found) of \(count) found") }
}

/// The rows in a store of ours, and in one that the peers share; filled at first use and kept, as are the connections.
final class TrackStores {
  private let workspace: Workspace
  private var context: ObjectContext?
  private var rawStore: RawStore?
  private var grdbStore: GRDBStore?

  init() {
    do { workspace = try Workspace() } catch { fatalError("no folder for the stores: \(error)") }
  }

  func measure<Value: Sendable>(
    _ values: [Value], expecting count: Int, _ find: @escaping @Sendable (ObjectSpace, Value) throws -> Int
  ) async throws -> Double {
    try await ours().perform { objects in
      var found = 0
      let time = try milliseconds { for value in values { found += try find(objects, value) } }
      try expectFound(found, count)
      return time * 1000 / Double(values.count)
    }
  }

  private func ours() async throws -> ObjectContext {
    if let context { return context }
    let url = workspace.url("ours.store")
    let container = try await PersistentContainer(at: .file(url), schema: Schema(Artist.self, Track.self))
    let filling = container.newContext()
    for commit in 0..<SampleTracks.commits {
      try await filling.persist { SampleTracks.insert(commit: commit, into: $0) }
    }
    // As after a new start, when SQLite has counted the rows.
    await container.close()
    let new = try await PersistentContainer(at: .file(url), schema: Schema(Artist.self, Track.self)).newContext()
    context = new
    return new
  }

  func raw() async throws -> RawStore {
    if let rawStore { return rawStore }
    let store = try RawStore(path: workspace.path("peers.db"))
    try store.createTracks()
    for commit in 0..<SampleTracks.commits { try SampleTracks.insert(commit: commit, into: store) }
    try store.execute("PRAGMA analysis_limit=400; PRAGMA optimize")
    rawStore = store
    return store
  }

  func grdb() async throws -> GRDBStore {
    if let grdbStore { return grdbStore }
    _ = try await raw()
    let store = try GRDBStore(path: workspace.path("peers.db"))
    grdbStore = store
    return store
  }
}
