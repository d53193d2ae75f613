import Foundation
import LarderTestSupport
import Persistence
import SyncKit
import SyncTesting
import Testing

/// Rows of the server with a value that another object here has, and that must be unique.
@Suite(.timeLimit(.minutes(2))) struct UniqueValueTests {
  private let server = TagServer()

  private func withStore(
    unifying: Bool = false, _ body: (ObjectContext, SyncEngine) async throws -> Void
  ) async throws {
    let remote = TagRemote(server: server, unifies: unifying)
    let container = try await PersistentContainer(
      at: .inMemory, schema: Schema(Tag.self, Note.self).synchronizing(remote.classes))
    let engine = try SyncEngine(container, with: remote, pause: MemoryAPI.noLaterAttempts)
    try await engine.start()
    try await engine.synchronize()
    try await body(container.newContext(), engine)
    await engine.stop()
    await container.close()
  }

  private func tags(_ context: ObjectContext) async throws -> [String] {
    try await context.perform { objects in
      try objects.fetch(Tag.self).map { "\($0.number.map { "\($0)" } ?? "-") \($0.name)" }.sorted()
    }
  }

  @Test func `of two rows with the same value, one is held back until the other has another value`() async throws {
    await server.set([1: "red", 2: "red", 3: "blue"])
    try await withStore { context, engine in
      let status = try await engine.status()
      #expect(status.error == nil && status.heldBack == 1)
      #expect(try await tags(context) == ["1 red", "3 blue"])
      await server.set([1: "green", 2: "red", 3: "blue"])
      #expect(try await engine.synchronize().heldBack == 0)
      #expect(try await tags(context) == ["1 green", "2 red", "3 blue"])
    }
  }

  @Test func `values that move between rows in one page are taken`() async throws {
    await server.set([1: "red", 2: "blue", 3: "green"])
    try await withStore { context, engine in
      await server.set([1: "blue", 2: "green", 3: "red"])
      #expect(try await engine.synchronize().isSynchronized)
      #expect(try await tags(context) == ["1 blue", "2 green", "3 red"])
      await server.set([1: "red", 2: "green", 4: "blue"])
      try await engine.synchronize()
      let status = try await engine.synchronize()
      #expect(status.error == nil && status.heldBack == 0 && status.owed == 0)
      #expect(try await tags(context) == ["1 red", "2 green", "4 blue"])
    }
  }

  @Test func `a value that a row takes from one that stays is taken later`() async throws {
    await server.set([1: "red", 2: "blue"])
    try await withStore { context, engine in
      await server.set([1: "red", 2: "red"])
      let status = try await engine.synchronize()
      #expect(status.error == nil && status.owed == 1)
      #expect(try await tags(context) == ["1 red", "2 blue"])
      await server.set([1: "pink", 2: "red"])
      try await engine.synchronize()
      #expect(try await engine.synchronize().owed == 0)
      #expect(try await tags(context) == ["1 pink", "2 red"])
    }
  }

  @Test func `an answer with a value that another object still has is recorded`() async throws {
    await server.set([1: "red", 2: "blue"])
    try await withStore { context, engine in
      await server.set([1: "blue", 2: "red"])
      try await context.persist { objects in
        try #require(try objects.fetch(Tag.self).first { $0.number == 1 }).color = "f00"
      }
      try await engine.synchronize()
      let status = try await engine.synchronize()
      #expect(status.error == nil && status.isSynchronized && status.owed == 0)
      #expect(try await tags(context) == ["1 blue", "2 red"])
    }
  }

  @Test func `a creation that the server refuses with a value that another object still has becomes that object later`()
    async throws
  {
    await server.set([1: "red"])
    try await withStore { context, engine in
      await server.set([1: "pink", 2: "red"], refusing: 2)
      try await context.persist { $0.insert(Tag.self).name = "blue" }
      try await engine.synchronize()
      let status = try await engine.synchronize()
      #expect(status.error == nil && status.isSynchronized && status.owed == 0)
      #expect(try await tags(context) == ["1 pink", "2 red"])
    }
  }

  @Test func `of several rows that one object holds back, one comes when it gives way`() async throws {
    await server.set(isUnique: true)
    try await withStore { context, engine in
      await server.set([7: "red", 8: "red"])
      let id = try await context.persist { objects in
        let tag = objects.insert(Tag.self)
        tag.name = "red"
        return tag.id
      }
      try await engine.synchronize()
      #expect(try await engine.synchronize().heldBack == 2)
      try await context.persist { try $0.object(id).name = "dark red" }
      let status = try await engine.synchronize()
      #expect(status.error == nil && status.heldBack == 1)
      #expect(try await tags(context) == ["7 red", "9 dark red"])
    }
  }

  @Test func `an object that was inserted here holds back that of the server until it gives way`() async throws {
    await server.set(isUnique: true)
    try await withStore { context, engine in
      await server.set([7: "red"])
      let id = try await context.persist { objects in
        let tag = objects.insert(Tag.self)
        tag.name = "red"
        return tag.id
      }
      var status = try await engine.synchronize()
      status = try await engine.synchronize()
      #expect(status.rejected == 1 && status.heldBack == 1)
      try await context.persist { try $0.object(id).name = "dark red" }
      status = try await engine.synchronize()
      #expect(status.isSynchronized && status.heldBack == 0)
      #expect(try await tags(context) == ["7 red", "8 dark red"])
    }
  }

  @Test func `an object that was inserted here is the same as that of the server if the class says so`() async throws {
    await server.set(isUnique: true)
    try await withStore(unifying: true) { context, engine in
      await server.set([7: "red"])
      let note = try await context.persist { objects in
        let (tag, note) = (objects.insert(Tag.self), objects.insert(Note.self))
        (tag.name, tag.color, note.tag) = ("red", "f00", tag)
        return note.id
      }
      try await engine.synchronize()
      #expect(try await engine.synchronize().isSynchronized)
      #expect(try await tags(context) == ["7 red"])
      #expect(await server.tags.keys.sorted() == [7])
      #expect(await server.notes == [1: 7])
      let tag = try await context.perform { try $0.object(note).tag?.number }
      #expect(tag == 7)
      let conflicts = try await engine.conflicts()
      #expect(conflicts.map(\.kind) == [.changed(property: "color")])
      #expect(conflicts.first?.mine(\Tag.color) == "f00")
    }
  }

  @Test func `whatever moves between one reading and the next, the store has what the server has`() async throws {
    var random = SplitMix.printed()
    try await withStore { context, engine in
      var number: Int64 = 0
      for round in 0..<60 {
        var tags = await server.tags
        var names = "abcdefgh".map { String($0) }.shuffled(using: &random)
        for key in tags.keys.sorted() where Int.random(in: 0..<4, using: &random) == 0 { tags[key] = nil }
        for _ in 0..<2 where tags.count < names.count {
          number += 1
          tags[number] = ""
        }
        // Each has a name of its own, most another one than before.
        for key in tags.keys.sorted() { tags[key] = names.removeLast() }
        await server.set(tags)
        let status = try await engine.synchronize()
        #expect(status.error == nil && status.owed == 0 && status.heldBack == 0, "round \(round)")
        let expected = tags.map { "\($0.key) \($0.value)" }.sorted()
        #expect(try await self.tags(context) == expected, "round \(round)")
      }
      #expect(try await engine.conflicts().isEmpty)
    }
  }

  @Test func `what makes objects the same is a unique attribute`() async throws {
    let classes = [SyncedClass(Tag.self, key: \.number, created: .none).unifying(\Tag.color)]
    let container = try await PersistentContainer(
      at: .inMemory, schema: Schema(Tag.self, Note.self).synchronizing(classes))
    #expect(throws: SyncError.self) {
      try SyncEngine(container, with: TagRemote(server: server, unifies: true, classes: classes))
    }
    await container.close()
  }
}

private final class Tag: ManagedObject {
  @Attribute(.unique) var number: Int64?
  @Attribute(.unique) var name = ""
  @Attribute var color: String?
  @ToMany(inverse: \Note.tag) var notes: RelatedObjects<Note>
}

private final class Note: ManagedObject {
  @Attribute(.unique) var number: Int64?
  @ToOne var tag: Tag?
}

private actor TagServer {
  private(set) var tags: [Int64: String] = [:]
  private(set) var notes: [Int64: Int64?] = [:]
  private var isUnique = false
  /// What a creation turns out to be.
  private(set) var refusal: Int64?

  func set(_ tags: [Int64: String], refusing refusal: Int64? = nil) { (self.tags, self.refusal) = (tags, refusal) }
  func set(isUnique: Bool) { self.isUnique = isUnique }

  /// Returns nil if the name is taken.
  func insert(_ name: String) -> Int64? {
    if isUnique, tags.values.contains(name) { return nil }
    let number = (tags.keys.max() ?? 0) + 1
    tags[number] = name
    return number
  }

  func rename(_ number: Int64, _ name: String) { tags[number] = name }

  func insertNote(_ tag: Int64?) -> Int64 {
    let number = Int64(notes.count + 1)
    notes[number] = tag
    return number
  }
}

private struct TagRemote: SyncRemote {
  let server: TagServer
  let classes: [SyncedClass]
  let scopes = ["all"]

  init(server: TagServer, unifies: Bool, classes: [SyncedClass]? = nil) {
    self.server = server
    let tag = SyncedClass(Tag.self, key: \.number, created: .idempotencyKey)
    self.classes =
      classes ?? [
        unifies ? tag.unifying(\Tag.name) : tag, SyncedClass(Note.self, key: \.number, created: .idempotencyKey),
      ]
  }

  func pull(_ scope: String, after position: String?) async throws -> SyncPage {
    let tags = await server.tags.sorted { $0.key < $1.key }.map { tag($0.key, $0.value) }
    let notes = await server.notes.sorted { $0.key < $1.key }.map { number, tag in
      RemoteObject(Note.self, key: SyncKey(number)) { $0.set(\.tag, key: tag) }
    }
    return SyncPage(tags + notes, covers: [.all(Tag.self), .all(Note.self)])
  }

  private func tag(_ number: Int64, _ name: String) -> RemoteObject {
    RemoteObject(Tag.self, key: SyncKey(number)) {
      $0.set(\.name, to: name)
      $0.set(\.color, to: nil)
    }
  }

  func push(_ batch: SyncBatch, _ attempt: SyncBatch.Attempt) async throws {
    for change in batch.changes { try await attempt.record(send(change), for: change) }
  }

  private func send(_ change: SyncChange) async -> SyncOutcome {
    if let note = change.of(Note.self) {
      return .accepted(key: SyncKey(await server.insertNote(note.key(of: \.tag)?.integer)))
    }
    guard let tag = change.of(Tag.self), let name = tag[\.name] else { return .missing }
    switch change.kind {
    case .creation:
      if let known = await server.refusal { return .conflict(self.tag(known, await server.tags[known] ?? "")) }
      guard let number = await server.insert(name) else { return .rejected("the name is taken") }
      return .accepted(self.tag(number, name))
    case .update(let key):
      let number = key.integer ?? 0
      if tag.sets(\.name) { await server.rename(number, name) }
      return .accepted(self.tag(number, await server.tags[number] ?? name))
    case .deletion: return .missing
    }
  }
}
