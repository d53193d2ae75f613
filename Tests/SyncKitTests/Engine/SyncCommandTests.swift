import Foundation
import LarderTestSupport
import Persistence
import SyncKit
import Testing

/// Commands as an app uses them: nothing but public names.
@Suite(.timeLimit(.minutes(2))) struct SyncCommandTests {
  let api = TicketAPI()

  private func withApp(_ remote: TicketRemote? = nil, _ body: (TicketApp) async throws -> Void) async throws {
    try await TicketApp.with(remote ?? TicketRemote(api: api), body)
  }

  @Test func `an object and its command are committed together, and arrive in this order`() async throws {
    try await withApp { app in
      try await app.engine.start()
      let id = try await app.send("now", title: "Print")
      let status = try await app.engine.synchronize()
      #expect(status.isSynchronized)
      let number = try #require(try await api.list().first?.number)
      #expect(await api.performed == ["send now \(number)"])
      #expect(try await app.engine.commands().isEmpty)
      let notes = try await app.context.perform { try $0.object(id).notes }
      #expect(notes == "send now", "what the command has changed is read")
    }
  }

  @Test func `a command is enqueued in a store whose engine was never started, and survives that it is closed`()
    async throws
  {
    try await withApp { app in
      let id = try await app.send("later", title: "Print")
      let command = try #require(try await app.engine.commands().first)
      #expect((command.name, command.queue, command.payload) == ("send", "", Data("\"later\"".utf8)))
      guard case .waiting(let objects) = command.state else {
        Issue.record("\(command.state)")
        return
      }
      #expect(objects.compactMap { $0.id(as: Ticket.self) } == [id])
      #expect(try await app.engine.status().waitingCommands == 1)
      await app.container.close()
      let container = try await TicketApp.open(app.folder, app.remote)
      let engine = try TicketApp.engine(container, app.remote)
      #expect(try await engine.commands() == [command])
      try await engine.start()
      #expect(try await engine.synchronize().isSynchronized)
      #expect(await api.performed.count == 1)
      await engine.stop()
      await container.close()
    }
  }

  @Test func `a persist that fails or is previewed enqueues nothing`() async throws {
    struct Failure: Error {}
    try await withApp { app in
      await #expect(throws: PersistenceError.self) {
        _ = try await app.context.persist { objects in
          try app.engine.enqueue(try SyncCommand("send", encoding: "no"), in: objects)
          throw Failure()
        }
      }
      _ = try await app.context.preview { objects in
        try app.engine.enqueue(try SyncCommand("send", encoding: "no"), in: objects)
      }
      #expect(try await app.engine.commands().isEmpty)
      await #expect(throws: PersistenceError.self) {
        try await app.context.perform { _ = try app.engine.enqueue(SyncCommand("send"), in: $0) }
      }
    }
  }

  @Test func `a command without objects is sent without another event`() async throws {
    try await withApp { app in
      try await app.engine.start()
      try await app.engine.synchronize()
      let statuses = app.engine.statuses
      try await app.engine.enqueue(try SyncCommand("ping", encoding: "1"))
      for await status in statuses where status.isSynchronized {
        if await api.performed == ["ping 1"] { break }
      }
      _ = try await app.context.persist { objects in
        try app.engine.enqueue(try SyncCommand("ping", encoding: "2"), in: objects)
      }
      for await status in app.engine.statuses where status.isSynchronized {
        if await api.performed == ["ping 1", "ping 2"] { break }
      }
    }
  }

  @Test func `commands are performed in their order, from several contexts`() async throws {
    try await withApp { app in
      for number in 0..<20 { try await app.engine.enqueue(try SyncCommand("n", encoding: "\(number)")) }
      try await app.engine.start()
      for number in 20..<30 {
        _ = try await app.container.newContext().persist { objects in
          try app.engine.enqueue(try SyncCommand("n", encoding: "\(number)"), in: objects)
        }
      }
      #expect(try await app.engine.synchronize().isSynchronized)
      #expect(await api.performed == (0..<30).map { "n \($0)" })
      #expect(Set(await api.commandKeys).count == 30)
    }
  }

  @Test func `a command is held by a rejected object, and says so`() async throws {
    await api.set(rejects: true)
    try await withApp { app in
      try await app.engine.start()
      let id = try await app.send("now", title: "bad!")
      var status = try await app.engine.synchronize()
      #expect((status.rejected, status.waitingCommands, status.isSynchronized) == (1, 1, false))
      guard case .waiting(let objects)? = try await app.engine.commands().first?.state else {
        Issue.record("it does not wait")
        return
      }
      #expect(objects.compactMap { $0.id(as: Ticket.self) } == [id])
      try await app.edit(id) { $0.title = "good" }
      status = try await app.engine.synchronize()
      #expect(status.isSynchronized)
      #expect(await api.performed.count == 1)
    }
  }

  @Test func `a rejected command holds its queue until it is retried or discarded`() async throws {
    await api.set(rejects: true)
    try await withApp { app in
      try await app.engine.start()
      let bad = try await app.engine.enqueue(try SyncCommand("pay", encoding: "1!", queue: "payments"))
      try await app.engine.enqueue(try SyncCommand("pay", encoding: "2", queue: "payments"))
      try await app.engine.enqueue(try SyncCommand("send", encoding: "3"))
      var status = try await app.engine.synchronize()
      #expect((status.rejectedCommands, status.waitingCommands, status.isSynchronized) == (1, 1, false))
      #expect(await api.performed == ["send 3"])
      #expect(try await app.engine.commands().map(\.state) == [.rejected("no exclamations"), .waiting(for: [])])
      await api.set(rejects: false)
      try await app.engine.retryCommand(bad)
      status = try await app.engine.synchronize()
      #expect(status.isSynchronized)
      #expect(await api.performed == ["send 3", "pay 1!", "pay 2"])
    }
  }

  @Test func `a command whose answer was lost is performed once`() async throws {
    await api.set(losesAnswers: true)
    try await withApp { app in
      try await app.engine.start()
      try await app.engine.enqueue(try SyncCommand("pay", encoding: "1"))
      try await app.engine.synchronize()
      #expect(try await app.engine.commands().map(\.state) == [.sending])
      #expect(try await app.engine.status().error is TicketAPI.Lost)
      let copy = try await TicketApp(TicketRemote(api: api), copying: app)
      await api.set(losesAnswers: false)
      #expect(try await app.restart().isSynchronized)
      #expect(try await copy.restart().isSynchronized)
      #expect(await api.performed == ["pay 1"])
      #expect(Set(await api.commandKeys).count == 1)
      await copy.remove()
    }
  }

  @Test func `an older copy of a store whose engine was never started repeats a command under the same key`()
    async throws
  {
    try await withApp { app in
      try await app.engine.enqueue(try SyncCommand("pay", encoding: "1"))
      let copy = try await TicketApp(TicketRemote(api: api), copying: app)
      for one in [app, copy] { #expect(try await one.restart().isSynchronized) }
      #expect(await api.performed == ["pay 1"])
      #expect(await api.commandKeys.count == 2)
      await copy.remove()
    }
  }

  @Test func `without a way to recognize commands, the app decides`() async throws {
    await api.set(losesAnswers: true)
    try await withApp(TicketRemote(api: api, recognizesCommands: false)) { app in
      try await app.engine.start()
      let one = try await app.engine.enqueue(try SyncCommand("pay", encoding: "1", queue: "a"))
      let two = try await app.engine.enqueue(try SyncCommand("pay", encoding: "2", queue: "b"))
      try await app.engine.synchronize()
      await api.set(losesAnswers: false)
      let status = try await app.restart()
      #expect((status.unconfirmedCommands, status.isSynchronized) == (2, false))
      #expect(try await app.engine.commands().map(\.state) == [.unconfirmed, .unconfirmed])
      #expect(await api.performed.sorted() == ["pay 1", "pay 2"])
      try await app.engine.discardCommand(one)
      try await app.engine.retryCommand(two)
      #expect(try await app.engine.synchronize().isSynchronized)
      #expect(await api.commandKeys.count == 3)
    }
  }

  @Test func `a command about an object that was deleted says so, and so does one of a class that is not there`()
    async throws
  {
    final class Other: ManagedObject { @Attribute(.unique) var number: Int64? }
    try await withApp { app in
      try await app.engine.start()
      let id = try await app.insert("Print")
      try await app.engine.synchronize()
      try await app.context.persist { objects in
        let ticket = try objects.object(id)
        try app.engine.enqueue(try SyncCommand("send", encoding: "x", after: [ticket]), in: objects)
        objects.delete(ticket)
      }
      try await app.engine.synchronize()
      let reason = "an object that it needs does not exist any more"
      let command = try #require(try await app.engine.commands().first)
      #expect(command.state == .rejected(reason))
      try await app.engine.discardCommand(command.id)
      #expect(try await app.engine.status().isSynchronized)
      #expect(await api.performed.isEmpty)
    }
    let container = try await PersistentContainer(at: .inMemory, schema: Schema(Other.self))
    let command = try await container.newContext().persist { SyncCommand("send", after: [$0.insert(Other.self)]) }
    try await withApp { app in
      await #expect(throws: SyncError.self) { try await app.engine.enqueue(command) }
      await app.engine.stop()
      await #expect(throws: SyncError.notRunning) { try await app.engine.retryCommand(1) }
    }
    await container.close()
  }

  @Test func `a remote that performs no commands rejects them`() async throws {
    try await withApp { app in
      let remote = OneClassRemote(classes: app.remote.classes)
      let engine = try SyncEngine(app.container, with: remote)
      try await engine.start()
      try await engine.enqueue(SyncCommand("send"))
      try await engine.synchronize()
      #expect(try await engine.commands().map(\.state) == [.rejected("the remote performs no commands")])
      await engine.stop()
    }
  }

  @Test func `a busy server performs a command later, and once`() async throws {
    await api.set(isBusy: true)
    try await withApp(TicketRemote(api: api, recognizesCommands: false)) { app in
      try await app.engine.start()
      try await app.engine.enqueue(try SyncCommand("pay", encoding: "1"))
      try await app.engine.synchronize()
      #expect(try await app.engine.commands().map(\.state) == [.waiting(for: [])])
      await api.set(isBusy: false)
      #expect(try await app.engine.synchronize().isSynchronized)
      #expect(await api.performed == ["pay 1"])
    }
  }
}

extension TicketApp {
  /// Inserts a ticket, and asks the server to send it, in one transaction.
  fileprivate func send(_ text: String, title: String) async throws -> ObjectID<Ticket> {
    try await context.persist { objects in
      let ticket = objects.insert(Ticket.self)
      ticket.title = title
      try engine.enqueue(try SyncCommand("send", encoding: text, after: [ticket]), in: objects)
      return ticket.id
    }
  }
}
