internal import Foundation

/// What the contexts of a container share: the place, the schema, and the ids that no context holds any more.
final class Store: Sendable {
  let place: StorePlace
  let schema: Schema
  let configuration: StoreConfiguration
  let commits: CommitHub
  /// Where those who follow commits are told.
  let commitQueue = DispatchQueue(label: "Persistence.commits")

  private struct State {
    /// Keeps a store in memory alive. Nobody runs a statement on it after the store was opened.
    var keeper: Keeper?
    /// By class.
    var spareIDs: [[Range<Int64>]]
  }

  private let state: Lock<State>
  /// What the opening has done to an older store.
  let migration: MigrationReport?

  /// `@unchecked Sendable`: the connection is never used again, only closed.
  private struct Keeper: @unchecked Sendable {
    let connection: Connection
  }

  init(_ location: StoreLocation, _ schema: Schema, _ configuration: StoreConfiguration) throws(PersistenceError) {
    place = StorePlace(location)
    self.schema = schema
    self.configuration = configuration
    commits = CommitHub(schema)
    guard schema.problems.isEmpty else { throw .invalidSchema(schema.problems) }
    try StoreFile.prepare(location, place)
    let connection: Connection
    do {
      connection = try Connection(place, configuration)
      migration = try StoreSetup(
        schema: schema, connection: connection, place: place, configuration: configuration
      ).run()
    } catch {
      throw StoreFile.openFailure(error, place)
    }
    let keeper = place.isURI ? Keeper(connection: connection) : nil
    state = Lock(State(keeper: keeper, spareIDs: Array(repeating: [], count: schema.entities.count)))
  }

  func connect() throws(PersistenceError) -> Connection {
    do {
      return try Connection(place, configuration)
    } catch {
      throw StoreFile.openFailure(error, place)
    }
  }

  func takeBack(_ ranges: [(entity: Int, ids: Range<Int64>)]) {
    guard !ranges.isEmpty else { return }
    state.withLock { state in
      for range in ranges where state.spareIDs[range.entity].count < 64 {
        state.spareIDs[range.entity].append(range.ids)
      }
    }
  }

  func spareIDs(for entity: Int) -> Range<Int64>? {
    state.withLock { $0.spareIDs[entity].popLast() }
  }
}
