import Foundation
import LarderTestSupport
import Testing

@testable import Persistence

private final class Rack: ManagedObject {
  @Attribute var name = ""
  @Attribute var room = ""
  @ToMany(inverse: \Novel.shelf, ordered: true) var books: RelatedObjects<Novel>
}

private final class Novel: ManagedObject {
  @Attribute(.searchable) var title = ""
  @Attribute(.column("number_of_pages")) var pages = 0
  @Attribute var price: Decimal = 0
  @Attribute var note = ""
  @ToOne var shelf: Rack?
  @ToMany var tags: RelatedObjects<Motif>
}

private final class Motif: ManagedObject {
  @Attribute(.searchable) var name = ""
  @ToMany(inverse: \Novel.tags) var books: RelatedObjects<Novel>
}

/// A change, and a description of something that it changes.
private struct Case: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let read: @Sendable (ObjectSpace) throws -> String
  let change: @Sendable (ObjectSpace) throws -> Void
  let readsRacks: Bool

  init(
    _ name: String, readsRacks: Bool = false, _ read: @escaping @Sendable (ObjectSpace) throws -> String,
    after change: @escaping @Sendable (ObjectSpace) throws -> Void
  ) {
    (testDescription, self.readsRacks, self.read, self.change) = (name, readsRacks, read, change)
  }
}

@Suite(.timeLimit(.minutes(2))) struct LiveValuesTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  /// Opens a store with a shelf of two books, one of which has a tag.
  private func open(_ configure: @Sendable (inout StoreConfiguration) -> Void = { _ in }) async throws
    -> PersistentContainer
  {
    let container = try await store.open(Rack.self, Novel.self, Motif.self, configure: configure)
    try await container.newContext().persist { objects in
      let shelf = objects.insert(Rack.self)
      shelf.name = "first"
      for (title, pages) in [("Emma", 400), ("Ulysses", 700)] {
        let book = objects.insert(Novel.self)
        (book.title, book.pages, book.price) = (title, pages, Decimal(pages) / 100)
        shelf.books.insert(book)
      }
      let tag = objects.insert(Motif.self)
      tag.name = "old"
      try objects.first(Novel.self, where: { $0.title == "Emma" })?.tags.insert(tag)
    }
    return container
  }

  private static func book(_ objects: ObjectSpace) throws -> Novel {
    try #require(try objects.first(Novel.self, where: { $0.title == "Emma" }))
  }

  private static let cases: [Case] = [
    Case("a count, after an insertion") {
      try "\($0.count(Novel.self))"
    } after: {
      _ = $0.insert(Novel.self)
    },
    Case("a count, after a deletion without objects") {
      try "\($0.count(Novel.self))"
    } after: {
      _ = try $0.delete(Novel.self, where: { $0.pages > 500 })
    },
    Case("an attribute with a column of another name") {
      try "\($0.values(of: \Novel.pages, in: FetchDescriptor(Novel.self)))"
    } after: {
      try book($0).pages += 1
    },
    Case("a decimal, of which SQL reads the key") {
      try "\($0.values(of: \Novel.price, in: FetchDescriptor(Novel.self)))"
    } after: {
      try book($0).price += 1
    },
    Case("an attribute of an object that was fetched by its id") { objects in
      let id = try book(objects).id
      return try objects.object(id).note
    } after: {
      try book($0).note = "read"
    },
    Case("groups by an attribute of a related object") {
      try "\($0.groups(in: FetchDescriptor(Novel.self), by: { $0.shelf.name.optional }, of: { $0.count }))"
    } after: {
      try $0.first(Rack.self)?.name = "second"
    },
    Case("groups, after an object has another owner") {
      try "\($0.groups(in: FetchDescriptor(Novel.self), by: { $0.shelf.id.optional }, of: { $0.count }))"
    } after: {
      try book($0).shelf = nil
    },
    Case("a count per owner") {
      try "\($0.fetch(FetchDescriptor(Motif.self), with: { $0.books.count }).map(\.1))"
    } after: { objects in
      let tag = try #require(try objects.first(Motif.self))
      try objects.fetch(Novel.self).forEach { $0.tags.insert(tag) }
    },
    Case("members of a relationship, after one was removed") {
      try "\($0.fetch(Novel.self).map { $0.tags.map(\.name) })"
    } after: {
      try book($0).tags = []
    },
    Case("the order of a relationship", readsRacks: true) {
      try "\($0.fetch(Rack.self).map { $0.books.map(\.title) })"
    } after: { objects in
      let shelf = try #require(try objects.first(Rack.self))
      shelf.books = RelatedObjects(shelf.books.reversed())
    },
    Case("SQL with a join") {
      let query: SQLQuery = "SELECT s.name FROM \(Rack.self) s JOIN \(Novel.self) b ON b.shelf = s._id"
      return try "\($0.select(query, as: String.self))"
    } after: {
      try $0.first(Rack.self)?.name = "second"
    },
    Case("SQL, after a change without objects") {
      try "\($0.select("SELECT max(number_of_pages) FROM \(Novel.self)", as: Int.self))"
    } after: {
      _ = try $0.update(Novel.self, where: { $0.pages > 500 }, set: [.set(\.pages, to: 900)])
    },
    Case("a search") {
      try "\($0.search(Novel.self, "ulys").map(\.title))"
    } after: {
      try book($0).title = "Ulysses again"
    },
    Case("a search in SQL") {
      let query: SQLQuery = "SELECT rowid FROM _larder_Novel_search('ulysses')"
      return try "\($0.select(query, as: Int.self))"
    } after: {
      try book($0).title = "Ulysses"
    },
  ]

  @Test(arguments: cases)
  private func `a value is read again after what it depends on has changed, and only then`(_ example: Case) async throws
  {
    let container = try await open()
    let context = container.newContext()
    var commits = container.commits.makeAsyncIterator()
    var values = container.liveValues(example.read).makeAsyncIterator()
    let first = try await values.next()
    let (value, region, _) = try await container.newContext().readNoting(example.read)
    #expect(first == value)
    // No example depends on this, except those that read objects with all of their attributes.
    try await context.persist { try #require(try $0.first(Rack.self)).room = "hall" }
    #expect(try await region.isAffected(by: #require(commits.next())) == example.readsRacks)
    try await context.persist(example.change)
    #expect(try await region.isAffected(by: #require(commits.next())))
    let second = try await values.next()
    #expect(try await second == context.perform(example.read))
    #expect(second != first)
  }

  @Test func `a value that is equal to the one before is left out`() async throws {
    let container = try await open()
    let context = container.newContext()
    var titles = container.liveValues { try $0.fetch(Novel.self).map(\.title) }.makeAsyncIterator()
    #expect(try await titles.next() == ["Emma", "Ulysses"])
    try await context.persist { try Self.book($0).note = "not shown" }
    await container.settle()
    try await context.persist { try Self.book($0).title = "Persuasion" }
    #expect(try await titles.next() == ["Persuasion", "Ulysses"])
  }

  @Test func `a slow loop receives the last value instead of all of them`() async throws {
    let container = try await open()
    let context = container.newContext()
    var counts = container.liveValues { try $0.count(Novel.self) }.makeAsyncIterator()
    #expect(try await counts.next() == 2)
    for _ in 0..<10 { try await context.persist { _ = $0.insert(Novel.self) } }
    await container.settle()
    #expect(try await counts.next() == 12)
  }

  @Test func `each loop reads for itself`() async throws {
    let container = try await open()
    let counts = container.liveValues { try $0.count(Novel.self) }
    var (first, second) = (counts.makeAsyncIterator(), counts.makeAsyncIterator())
    #expect(try await first.next() == 2)
    try await container.newContext().persist { _ = $0.insert(Novel.self) }
    await container.settle()
    #expect(try await first.next() == 3)
    #expect(try await second.next() == 3)
  }

  @Test func `changes that the closure makes are discarded`() async throws {
    let container = try await open()
    var titles = container.liveValues { objects in
      let book = try Self.book(objects)
      defer { book.title = "changed" }
      return book.title
    }.makeAsyncIterator()
    #expect(try await titles.next() == "Emma")
    try await container.newContext().persist { try Self.book($0).note = "again" }
    try await container.newContext().persist { objects in
      for book in try objects.fetch(Novel.self) where book.title == "Emma" { book.pages = 1 }
    }
    let fetched = try await container.newContext().perform { try $0.fetch(Novel.self).map(\.title) }
    #expect(fetched == ["Emma", "Ulysses"])
  }

  @Test func `the closure's error is thrown, and ends the sequence`() async throws {
    let container = try await open()
    var stopped = container.liveValues { (_: ObjectSpace) throws -> Int in throw Stop() }.makeAsyncIterator()
    await #expect { _ = try await stopped.next() } throws: { error in
      guard case .body(let cause) = error as? PersistenceError else { return false }
      return cause is Stop
    }
    #expect(try await stopped.next() == nil)
    var wrong = container.liveValues { try $0.select("SELECT nothing FROM nowhere", as: Int.self) }.makeAsyncIterator()
    await #expect { _ = try await wrong.next() } throws: { error in
      guard case .queryFailed = error as? PersistenceError else { return false }
      return true
    }
  }

  @Test func `a sequence ends when its container is closed or its task is cancelled`() async throws {
    let container = try await open()
    let counts = container.liveValues { try $0.count(Novel.self) }
    let (first, taken) = AsyncStream.makeStream(of: Int.self)
    let tasks = (0..<2).map { _ in
      Task {
        for try await count in counts { taken.yield(count) }
      }
    }
    for await _ in first.prefix(2) {}
    tasks[0].cancel()
    try await tasks[0].value
    await container.close()
    try await tasks[1].value
    var late = counts.makeAsyncIterator()
    #expect(try await late.next() == nil)
  }

  @Test func `a suspended container delays the next value until it is resumed`() async throws {
    let container = try await open()
    let context = container.newContext()
    let counts = container.liveValues { try $0.count(Novel.self) }
    let (taken, continuation) = AsyncStream.makeStream(of: Int.self)
    let loop = Task {
      for try await count in counts { continuation.yield(count) }
    }
    var values = taken.makeAsyncIterator()
    #expect(await values.next() == 2)
    await container.suspend()
    let other = try await store.open(Rack.self, Novel.self, Motif.self)
    try await other.newContext().persist { _ = $0.insert(Novel.self) }
    await other.close()
    await container.resume()
    #expect(await values.next() == 3)
    try await context.persist { _ = $0.insert(Novel.self) }
    #expect(await values.next() == 4)
    loop.cancel()
    try await loop.value
  }

  @Test func `a search depends on the class that it searches, and on no other searchable class`() async throws {
    let container = try await open()
    let (_, region, _) = try await container.newContext().readNoting { try $0.search(Novel.self, "emma").count }
    var commits = container.commits.makeAsyncIterator()
    try await container.newContext().persist { $0.insert(Motif.self).name = "emma" }
    #expect(try await !region.isAffected(by: #require(commits.next())))
    try await container.newContext().persist { $0.insert(Novel.self).title = "emma" }
    #expect(try await region.isAffected(by: #require(commits.next())))
  }

  /// In a store in memory a reader waits for a writer, and a commit waits for the list of commits.
  @Test(.timeLimit(.minutes(1))) func `a reader that waits for a writer in memory does not stop its commit`()
    async throws
  {
    let container = try await PersistentContainer(
      at: .inMemory, schema: Schema(Rack.self, Novel.self, Motif.self)
    ) { $0.busyTimeout = .seconds(600) }
    let results = try await container.results(FetchDescriptor(Novel.self))
    for round in 0..<20 {
      let reading = DispatchSemaphore(value: 0)
      let (began, beginning) = AsyncStream.makeStream(of: Void.self)
      let writer = Task {
        try await container.newContext().persist { objects in
          objects.insert(Novel.self).pages = round
          _ = try objects.count(Novel.self)
          beginning.finish()
          reading.wait()
        }
      }
      for await _ in began {}
      let reader = Task {
        reading.signal()
        #expect(try await container.results(FetchDescriptor(Novel.self)).failure == nil)
        var counts = container.liveValues { try $0.count(Novel.self) }.makeAsyncIterator()
        while let count = try await counts.next(), count <= round {}
      }
      try await writer.value
      try await reader.value
    }
    await container.settle()
    #expect(results.snapshot.count == 20 && results.failure == nil)
  }

  @Test func `commits of other containers are followed by polling`() async throws {
    let clock = ManualClock()
    let container = try await open { configuration in
      configuration.pollInterval = .seconds(1)
      configuration.pollClock = clock
    }
    var titles = container.liveValues { try $0.fetch(Novel.self).map(\.title) }.makeAsyncIterator()
    #expect(try await titles.next() == ["Emma", "Ulysses"])
    let other = try await store.open(Rack.self, Novel.self, Motif.self)
    try await other.newContext().persist { try Self.book($0).title = "Persuasion" }
    container.store.poll()
    #expect(try await titles.next() == ["Persuasion", "Ulysses"])
  }

  /// More seeds with `LARDER_WALKS=100`.
  private static let seeds: [UInt64] = {
    let count = ProcessInfo.processInfo.environment["LARDER_WALKS"].flatMap { Int($0) } ?? 8
    return (0..<count).map { _ in UInt64.random(in: 0..<1_000_000) }
  }()

  @Test(arguments: seeds)
  func `the last value is that of the last commit, regardless of what is committed while values are calculated`(
    _ seed: UInt64
  ) async throws {
    let container = try await open()
    let sums = container.liveValues { objects in
      let sum = try objects.values(of: \Novel.pages, in: FetchDescriptor(Novel.self)).reduce(0, +)
      // Both are of the same commit.
      #expect(try objects.fetch(Novel.self).map(\.pages).reduce(0, +) == sum)
      return sum
    }
    let last = Task {
      var last = 0
      for try await sum in sums {
        #expect(sum != last, "seed \(seed)")
        last = sum
        if sum >= 1_000_000 { return sum }
      }
      return last
    }
    await withTaskGroup(of: Void.self) { group in
      for writer in 0..<3 {
        group.addTask {
          var random = SplitMix(seed: seed &+ UInt64(writer))
          let context = container.newContext(merging: .mine)
          for _ in 0..<20 {
            let (kind, pages) = (Int.random(in: 0..<4, using: &random), Int.random(in: 1...100, using: &random))
            try? await context.persist { objects in
              switch kind {
              case 0: objects.insert(Novel.self).pages = pages
              case 1: _ = try objects.update(Novel.self, where: { $0.pages > pages }, set: [.set(\.pages, to: pages)])
              case 2: try objects.first(Novel.self)?.pages = pages
              default: try objects.first(Rack.self)?.name = "\(pages)"
              }
            }
          }
        }
      }
    }
    let sum = try await container.newContext().persist { objects in
      let book = objects.insert(Novel.self)
      book.pages = 1_000_000
      return try objects.values(of: \Novel.pages, in: FetchDescriptor(Novel.self)).reduce(0, +)
    }
    #expect(try await last.value == sum, "seed \(seed)")
  }
}
