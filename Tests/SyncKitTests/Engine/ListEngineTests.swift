import Foundation
import Persistence
import SyncKit
import Testing

/// Lists as an app uses them: nothing but public names.
@Suite(.timeLimit(.minutes(2))) struct ListEngineTests {
  let api = BoardAPI()

  private func insert(_ app: BoardApp) async throws {
    try await app.context.persist { objects in
      let card = objects.insert(Board.Card.self)
      card.title = "Cake"
      for title in ["sweet", "old"] {
        let tag = objects.insert(Board.Tag.self)
        tag.title = title
        card.tags.insert(tag)
      }
      for title in ["mix", "bake", "eat"] {
        let step = objects.insert(Board.Step.self)
        step.title = title
        card.steps.insert(step, at: 0)
      }
    }
  }

  private func withTwo(
    _ policy: ConflictPolicy = ConflictPolicy(), _ body: (BoardApp, BoardApp) async throws -> Void
  ) async throws {
    try await BoardApp.withTwo(BoardRemote(api: api, policy: policy)) { one, two in
      try await insert(one)
      #expect(try await one.engine.synchronize().isSynchronized)
      #expect(try await two.engine.synchronize().isSynchronized)
      try await body(one, two)
    }
  }

  private func synchronizeAll(_ apps: BoardApp...) async throws {
    for _ in 0..<3 { for app in apps { try await app.engine.synchronize() } }
  }

  @Test func `a card and its new members arrive on another device, in their order`() async throws {
    try await withTwo { one, two in
      #expect(try await one.members("Cake") == [["old", "sweet"], ["eat", "bake", "mix"]])
      #expect(try await two.members("Cake") == [["old", "sweet"], ["eat", "bake", "mix"]])
      let rows = await api.list()
      let card = try #require(rows.first { $0.kind == .card })
      #expect(card.tags.count == 2)
      #expect(card.steps.map { number in rows.first { $0.number == number }?.title } == ["eat", "bake", "mix"])
    }
  }

  @Test func `two devices add and remove tags, and end with the same ones`() async throws {
    try await withTwo { one, two in
      try await one.edit("Cake") { card, objects in
        let tag = objects.insert(Board.Tag.self)
        tag.title = "quick"
        card.tags.insert(tag)
      }
      try await two.edit("Cake") { card, objects in
        let tag = objects.insert(Board.Tag.self)
        tag.title = "cheap"
        card.tags.insert(tag)
        if let old = card.tags.first(where: { $0.title == "old" }) { card.tags.remove(old) }
      }
      try await synchronizeAll(one, two)
      for app in [one, two] {
        #expect(try await app.members("Cake") == [["cheap", "quick", "sweet"], ["eat", "bake", "mix"]])
        #expect(try await app.engine.status().isSynchronized)
        #expect(try await app.engine.conflicts().isEmpty)
      }
      let sent = await api.sent
      #expect(sent.allSatisfy { !$0.contains("steps") } && sent.contains { $0.contains("+") && $0.contains("-") })
    }
  }

  @Test(arguments: [ConflictPolicy.Choice.mine, .theirs])
  func `an order that both devices change is decided by the policy, and the other one is kept`(
    _ choice: ConflictPolicy.Choice
  ) async throws {
    var policy = ConflictPolicy()
    policy.attribute = choice
    try await withTwo(policy) { one, two in
      try await one.edit("Cake") { card, _ in card.steps.swapAt(0, 2) }
      try await one.engine.synchronize()
      try await two.edit("Cake") { card, _ in card.steps.swapAt(0, 1) }
      try await synchronizeAll(two, one)
      let result = choice == .mine ? ["bake", "eat", "mix"] : ["mix", "bake", "eat"]
      for app in [one, two] { #expect(try await app.members("Cake")[1] == result) }
      let conflict = try #require(try await two.engine.conflicts().first)
      #expect(conflict.kind == .changed(property: "steps"))
      let mine = conflict.mine(idsOf: \Board.Card.steps) ?? []
      let theirs = conflict.theirs(idsOf: \Board.Card.steps) ?? []
      let titles = try await two.context.perform { objects in
        try [mine, theirs].map { try $0.map { try objects.object($0).title } }
      }
      #expect(titles == [["bake", "eat", "mix"], ["mix", "bake", "eat"]])
    }
  }

  @Test func `a tag that one device deletes is gone, also where the other one has just added it`() async throws {
    try await withTwo { one, two in
      try await one.edit("Cake") { card, objects in
        card.tags.removeAll()
        try objects.fetch(Board.Tag.self).filter { $0.title == "old" }.forEach { objects.delete($0) }
      }
      try await two.edit("Cake") { card, objects in
        card.tags.replace(with: try objects.fetch(Board.Tag.self).filter { $0.title == "old" })
      }
      try await synchronizeAll(one, two)
      for app in [one, two] {
        #expect(try await app.members("Cake")[0] == [])
        #expect(try await app.engine.status().isSynchronized)
      }
      #expect(await api.list().filter { $0.kind == .tag }.map(\.title) == ["sweet"])
    }
  }

  @Test func `a deleted card removes no members`() async throws {
    try await withTwo { one, two in
      try await one.edit("Cake") { card, objects in objects.delete(card) }
      try await synchronizeAll(one, two)
      #expect(await api.list().map(\.title).sorted() == ["bake", "eat", "mix", "old", "sweet"])
      #expect(try await two.context.perform { try $0.fetch(Board.Card.self).count } == 0)
    }
  }

  @Test func `one side of a relationship is a list, and its members are synchronized`() async throws {
    let container = { (classes: [SyncedClass]) in
      try await PersistentContainer(
        at: .inMemory, schema: Schema(Board.Card.self, Board.Tag.self, Board.Step.self).synchronizing(classes))
    }
    let card = SyncedClass(Board.Card.self, key: \.number, created: .none, lists: [\.tags])
    let both = [card, SyncedClass(Board.Tag.self, key: \.number, created: .none, lists: [\.cards])]
    let twice = try await container(both)
    #expect(throws: SyncError.self) { try SyncEngine(twice, with: OneClassRemote(classes: both)) }
    let alone = try await container([card])
    #expect(throws: SyncError.self) { try SyncEngine(alone, with: OneClassRemote(classes: [card])) }
    for container in [twice, alone] { await container.close() }
  }
}
