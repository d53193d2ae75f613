import Foundation
import Testing

@testable import Persistence

/// Follows the transactions of a space, and writes within them.
final class SaveFollower: SaveObserver {
  var interest: SaveInterest = .rows
  /// Thrown by `interest`, and by `willCommit`, until it is nil.
  var refusal: PersistenceError?
  var failure: PersistenceError?
  private(set) var events: [String] = []
  private(set) var changes: ChangeSet?
  private var connection: Connection?
  /// Whether it writes the number of changed rows into the store.
  private let writes: Bool

  init(writes: Bool = false) { self.writes = writes }

  var isBetweenTransactions: Bool { ["committed", "rolled back", nil].contains(events.last) }

  func interest(in connection: Connection) throws(PersistenceError) -> SaveInterest {
    self.connection = connection
    events.append("begin")
    if let refusal { throw refusal }
    return interest
  }

  func willCommit(_ changes: ChangeSet?) throws(PersistenceError) -> Int64? {
    events.append("will commit")
    if !writes { return nil }
    try connection?.execute("CREATE TABLE IF NOT EXISTS noted(count INTEGER)")
    let count = changes?.entities.reduce(0) { $0 + $1.rows.count } ?? -1
    try connection?.execute("INSERT INTO noted VALUES(\(count))")
    if let failure { throw failure }
    return nil
  }

  func committed(_ changes: ChangeSet?) {
    events.append("committed")
    self.changes = changes
  }

  func rolledBack() { events.append("rolled back") }
}

@Suite struct SaveObserverTests {
  private let file: TemporaryStore
  private let store: Store
  private let space: ObjectSpace
  private let follower = SaveFollower(writes: true)

  init() throws {
    file = try TemporaryStore()
    store = try Store(.file(file.file), TitleRow.schema, StoreConfiguration())
    space = try ObjectSpace(store.access)
    try space.persist { objects in for number in 0..<3 { objects.insert(Title.self).remoteID = Int64(number) } }
    space.saveObservers.append(follower)
  }

  private func edit() throws {
    try space.persist { objects in
      try objects.fetch(Title.self) { $0.remoteID == 1 }.first?.name = "edited"
      try objects.update(Title.self, where: { $0.remoteID == 2 }, set: [.set(\.name, to: "in bulk")])
    }
  }

  private func noted() throws -> [Int64] {
    let connection = try store.access.connect(reportsCommits: false)
    let statement = try connection.statement("SELECT count FROM noted")
    var counts: [Int64] = []
    while try statement.step() { counts.append(statement.int64(0)) }
    return counts
  }

  @Test func `an observer receives all changes of a transaction once, and can write before they are committed`() throws
  {
    try edit()
    #expect(follower.events == ["begin", "will commit", "committed"])
    #expect(follower.changes?.entities.first?.rows.count == 2)
    #expect(try noted() == [2])
  }

  @Test func `an error of an observer rolls back the changes and what it has written`() throws {
    follower.failure = .unsavedChanges
    #expect(throws: PersistenceError.self) { try edit() }
    #expect(follower.events == ["begin", "will commit", "rolled back"])
    #expect(try space.perform { try $0.count(Title.self) { $0.name == "" } } == 3)
    follower.failure = nil
    try edit()
    #expect(try noted() == [2])
  }

  @Test func `an observer that cannot begin ends the transaction`() throws {
    follower.refusal = .unsavedChanges
    #expect(throws: PersistenceError.self) { try edit() }
    #expect(follower.events == ["begin", "rolled back"] && !space.connection.isInTransaction)
    follower.refusal = nil
    try edit()
    #expect(try noted() == [2])
  }

  @Test func `an observer learns that a closure failed, was a preview or changed nothing`() throws {
    #expect(throws: PersistenceError.self) {
      try space.persist { objects in
        try objects.update(Title.self, where: { $0.remoteID == 2 }, set: [.set(\.name, to: "in bulk")])
        throw PersistenceError.unsavedChanges
      }
    }
    #expect(follower.events == ["begin", "rolled back"])
    _ = try space.preview { try $0.fetch(Title.self)[0].name = "previewed" }
    #expect(follower.events == ["begin", "rolled back", "begin", "rolled back"])
    try space.persist { _ = try $0.count(Title.self) }
    #expect(follower.events == Array(repeating: ["begin", "rolled back"], count: 3).flatMap(\.self))
    #expect(follower.changes == nil)
  }

  @Test func `what a closure rolls back itself is not in the commit that follows`() throws {
    try space.persist { objects in
      try objects.update(Title.self, where: { $0.remoteID == 2 }, set: [.set(\.name, to: "in bulk")])
      objects.rollback()
      objects.insert(Title.self).name = "new"
    }
    #expect(follower.events == ["begin", "rolled back", "begin", "will commit", "committed"])
    #expect(follower.changes?.entities.flatMap(\.rows).map(\.kind) == [.inserted])
  }

  @Test func `without interest an observer receives a commit, but not what it contains`() throws {
    follower.interest = []
    try edit()
    #expect(follower.events == ["begin", "will commit", "committed"])
    #expect(follower.changes == nil)
    #expect(try noted() == [-1])
  }
}
