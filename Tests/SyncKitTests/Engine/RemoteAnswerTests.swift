import Foundation
import Persistence
import SyncKit
import Testing

/// What a remote says that cannot be so.
@Suite(.timeLimit(.minutes(2))) struct RemoteAnswerTests {
  let api = TicketAPI()

  private func withApp(_ remote: TicketRemote? = nil, _ body: (TicketApp) async throws -> Void) async throws {
    try await TicketApp.with(remote ?? TicketRemote(api: api), body)
  }

  @Test func `an answer about another object is an error, and changes nothing`() async throws {
    try await withApp { app in
      try await app.engine.start()
      let (one, two) = (try await app.insert("one"), try await app.insert("two"))
      try await app.engine.synchronize()
      await api.set(answersWithAnother: true)
      try await app.edit(one) { $0.title = "edited" }
      let status = try await app.engine.synchronize()
      guard case .invalidAnswer? = status.error as? SyncError else {
        Issue.record("\(String(describing: status.error))")
        return
      }
      await api.set(answersWithAnother: false)
      #expect(try await app.restart().isSynchronized)
      #expect(try await app.titles() == ["edited", "two"])
      #expect(try await app.engine.status(of: SyncedObject(two)).state == .synchronized)
      #expect(try await app.engine.conflicts().isEmpty)
    }
  }

  @Test func `a page that the store cannot take is an error, and the engine comes to rest`() async throws {
    try await withApp { app in
      try await app.engine.start()
      await api.set(labels: ["red", "Red"])
      let status = try await app.engine.synchronize()
      #expect(status.error is PersistenceError)
      await api.set(labels: [])
      try await app.insert("sent all the same")
      #expect(try await app.restart().error == nil)
      #expect(try await api.list().map(\.title) == ["sent all the same"])
    }
  }

  @Test(
    arguments: [
      SyncPage([RemoteObject(Ticket.self, key: "text") { $0.set(\.title, to: "x") }]),
      SyncPage([RemoteObject(Ticket.self, key: 1) { $0.set(\.isExpanded, to: true) }]),
      SyncPage([RemoteObject(Ticket.self, key: 1) { $0.set(\.number, to: 2) }]),
      SyncPage([RemoteObject(Ticket.self, key: 1) { $0.set(\.milestone, key: "text") }]),
      SyncPage([], deleted: [RemoteKey(TestItem.self, 1)]),
      SyncPage([], covers: [.keys(Ticket.self, from: "a", to: nil)]),
      SyncPage([], hasMore: true),
    ])
  func `a page that does not fit the classes is an error, and nothing of it is applied`(_ page: SyncPage) async throws {
    let bad = RemoteObject(Ticket.self, key: 7) { $0.set(\.title, to: "of the same page") }
    let remote = TicketRemote(api: api) { _ in
      SyncPage([bad] + page.objects, deleted: page.deleted, hasMore: page.hasMore, covers: page.covers)
    }
    try await withApp(remote) { app in
      try await app.engine.start()
      let status = try await app.engine.synchronize()
      guard case .invalidAnswer? = status.error as? SyncError else {
        Issue.record("\(String(describing: status.error))")
        return
      }
      #expect(try await app.titles() == [])
    }
  }

  @Test func `a key that is not unique is refused`() async throws {
    let classes = [SyncedClass(Milestone.self, key: \.title, created: .clientKey)]
    let schema = Schema(Milestone.self, Ticket.self).synchronizing(classes)
    let container = try await PersistentContainer(at: .inMemory, schema: schema)
    let refusal = SyncError.invalidClass(type: "Milestone", reason: "its key is not unique")
    #expect(throws: refusal) { try SyncEngine(container, with: OneClassRemote(classes: classes)) }
    await container.close()
  }

  @Test func `a schema that does not synchronize a class is refused`() async throws {
    let container = try await PersistentContainer(
      at: .inMemory, schema: Schema(Milestone.self, Ticket.self, Label.self))
    #expect(throws: SyncError.self) { try TicketApp.engine(container, TicketRemote(api: api)) }
    await container.close()
  }
}
