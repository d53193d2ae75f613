import FetchKit
import FetchKitTesting
import Foundation
import Persistence
import SyncKit
import SyncTesting
import Testing

/// The engine over HTTP: what the helpers make of a server's answers.
@Suite(.timeLimit(.minutes(2))) struct HTTPRemoteTests {
  @Test(arguments: TrackerServer.Listing.allCases)
  func `two devices are in step, however the list is read`(listing: TrackerServer.Listing) async throws {
    try await Tracker.with(listing, devices: 2) { server, devices in
      for number in 0..<7 { await server.insert("there \(number)") }
      try await devices[0].context.persist { objects in
        for number in 0..<3 { objects.insert(Ticket.self).title = "here \(number)" }
      }
      #expect(try await devices[0].synchronize().isSynchronized)
      try await devices[1].synchronize()
      let all = (0..<7).map { "there \($0)" } + (0..<3).map { "here \($0)" }
      #expect(try await devices[0].titles() == all.sorted())
      #expect(try await devices[1].titles() == all.sorted())
      try await devices[1].context.persist { objects in
        let ticket = try objects.fetch(Ticket.self).first { $0.title == "there 3" }
        ticket?.title = "new"
      }
      try await devices[1].synchronize()
      await server.remove(1)
      await devices[0].engine.reconcile()
      for _ in 0..<2 { try await devices[0].synchronize() }
      let left = all.filter { $0 != "there 3" && $0 != "there 0" } + ["new"]
      #expect(try await devices[0].titles() == left.sorted())
    }
  }

  @Test func `a list that has not changed is not sent again`() async throws {
    try await Tracker.with { server, devices in
      await server.insert("A")
      for _ in 0..<3 { try await devices[0].synchronize() }
      #expect(try await devices[0].titles() == ["A"])
      #expect(await server.statuses.suffix(2) == [304, 304])
      await server.remove(1)
      try await devices[0].synchronize()
      #expect(await server.statuses.last == 200)
      #expect(try await devices[0].titles() == [])
    }
  }

  @Test func `a list of changes asks for what is newer, and for a little more`() async throws {
    try await Tracker.with(.changes) { server, devices in
      for number in 0..<5 { await server.insert("\(number)") }
      try await devices[0].synchronize()
      await server.edit(5) { $0.title = "new" }
      try await devices[0].synchronize()
      #expect(try await devices[0].titles() == ["0", "1", "2", "3", "new"])
      #expect(await server.requests.last == "GET /tickets?since=3.0")
      await server.remove(5)
      try await devices[0].synchronize()
      #expect(try await devices[0].titles().count == 5)
      await devices[0].engine.reconcile()
      try await devices[0].synchronize()
      #expect(try await devices[0].titles().count == 4)
    }
  }

  @Test func `an answer that is cut off is settled by the idempotency key`() async throws {
    try await Tracker.with { server, devices in
      await server.answer(.post, with: .text("{").cut(after: .body(bytes: 1), by: .reset), takesEffect: true)
      try await devices[0].insert("A")
      // The next one may find a connection that the server has closed.
      for _ in 0..<3 { try await devices[0].synchronize() }
      #expect(try await devices[0].engine.status().isSynchronized)
      #expect(await server.tickets.values.map(\.title) == ["A"])
      #expect(await server.requests.count { $0 == "POST /tickets" } > 1)
    }
  }

  @Test func `a creation after which a redirect leads nowhere has taken effect`() async throws {
    try await Tracker.with { server, devices in
      await server.answer(.post, with: .redirect(303, to: "/elsewhere"), takesEffect: true)
      try await devices[0].insert("A")
      for _ in 0..<2 { try await devices[0].synchronize() }
      #expect(try await devices[0].engine.status().isSynchronized)
      #expect(await server.tickets.values.map(\.title) == ["A"])
    }
  }

  @Test func `a rejection has the server's reason`() async throws {
    try await Tracker.with { _, devices in
      try await devices[0].insert("A!")
      try await devices[0].synchronize()
      #expect(try await devices[0].engine.rejections().map(\.reason) == ["no exclamations"])
    }
  }

  @Test func `an update of what has changed there is a conflict, and nothing there is overwritten`() async throws {
    try await Tracker.with { server, devices in
      await server.insert("A")
      try await devices[0].synchronize()
      await server.edit(1) { $0.notes = "there" }
      await server.answer(.get, with: .status(500))
      try await devices[0].context.persist { try $0.fetch(Ticket.self).first?.title = "B" }
      for _ in 0..<3 { try await devices[0].synchronize() }
      #expect(await server.tickets[1].map { [$0.title, $0.notes ?? ""] } == ["B", "there"])
      #expect(await server.requests.count { $0 == "PATCH /tickets/1" } >= 2)
    }
  }

  @Test func `a busy server is left alone for as long as it says`() async throws {
    try await Tracker.with { server, devices in
      await server.answer(.post, with: .status(503, headers: ["Retry-After": "3600"]))
      try await devices[0].insert("A")
      try await devices[0].synchronize()
      let requests = await server.requests.count { $0.hasPrefix("POST") }
      #expect(try await devices[0].synchronize().waiting == 1)
      #expect(await server.requests.count { $0.hasPrefix("POST") } == requests)
    }
  }

  @Test func `who is signed out is not asked until the app says so`() async throws {
    try await Tracker.with { server, devices in
      await server.answer(.post, with: .status(401))
      try await devices[0].synchronize()
      try await devices[0].insert("A")
      while try await !devices[0].engine.status().isPaused { await Task.yield() }
      let requests = await server.requests.count
      try await devices[0].insert("B")
      #expect(try await devices[0].engine.status().waiting == 2)
      #expect(await server.requests.count == requests)
      #expect(try await devices[0].synchronize().isSynchronized)
      #expect(await server.tickets.count == 2)
    }
  }

  @Test(arguments: [TrackerServer.Listing.links, .cursors], [1, 3])
  func `a reading whose next page the server does not know begins again, and not at once`(
    listing: TrackerServer.Listing, times: Int
  ) async throws {
    try await Tracker.with(listing) { server, devices in
      try await devices[0].synchronize()
      for number in 0..<7 { await server.insert("\(number)") }
      for _ in 0..<times { await server.answer(.get, "page=1", with: .status(410)) }
      let requests = await server.requests.count
      for _ in 0..<times {
        #expect(try await devices[0].synchronize().error as? SyncError == .unknownPosition)
      }
      #expect(await server.requests.count <= requests + 2 * times)
      #expect(try await devices[0].synchronize().error == nil)
      #expect(try await devices[0].titles().count == 7)
    }
  }

  @Test func `an error in the middle of counted pages is not their end`() async throws {
    try await Tracker.with(.pages) { server, devices in
      for number in 0..<7 { await server.insert("\(number)") }
      for _ in 0..<2 { try await devices[0].synchronize() }
      for code in [400, 422, 410, 500] {
        await server.answer(.get, "page=1", with: .status(code))
        #expect(try await devices[0].synchronize().error is FetchError)
      }
      #expect(try await devices[0].titles().count == 7)
    }
  }

  @Test func `a creation that is in conflict is rejected, and not sent again and again`() async throws {
    try await Tracker.with { server, devices in
      await server.answer(.post, with: .json(#"{"message": "there is one"}"#, status: 409))
      try await devices[0].insert("A")
      for _ in 0..<2 { try await devices[0].synchronize() }
      #expect(try await devices[0].engine.rejections().map(\.reason) == ["there is one"])
      #expect(try await devices[0].engine.status().owed == 0)
    }
  }

  @Test func `a deletion of what the server has lost is settled`() async throws {
    try await Tracker.with { server, devices in
      await server.insert("A")
      try await devices[0].synchronize()
      await server.remove(1)
      await server.answer(.get, with: .status(500))
      try await devices[0].context.persist { objects in
        for ticket in try objects.fetch(Ticket.self) { objects.delete(ticket) }
      }
      for _ in 0..<2 { try await devices[0].synchronize() }
      #expect(try await devices[0].engine.status().isSynchronized)
    }
  }
}

/// A device with a store, an engine and a client.
private struct Tracker {
  let container: PersistentContainer
  let context: ObjectContext
  let engine: SyncEngine

  static func with(
    _ listing: TrackerServer.Listing = .whole, devices: Int = 1,
    _ body: (TrackerServer, [Tracker]) async throws -> Void
  ) async throws {
    let server = try TrackerServer()
    let client = FetchClient()
    var trackers: [Tracker] = []
    for _ in 0..<devices {
      trackers.append(try await Tracker(TrackerRemote(client: client, url: server.url, listing: listing)))
    }
    do { try await body(server, trackers) } catch { Issue.record(error) }
    for tracker in trackers {
      await tracker.engine.stop()
      await tracker.container.close()
    }
    withExtendedLifetime(server) {}
  }

  init(_ remote: TrackerRemote) async throws {
    container = try await PersistentContainer(
      at: .inMemory, schema: Schema(Milestone.self, Ticket.self).synchronizing(remote.classes))
    context = container.newContext()
    engine = try SyncEngine(container, with: remote, pause: MemoryAPI.noLaterAttempts)
    try await engine.start()
  }

  @discardableResult func synchronize() async throws -> SyncStatus { try await engine.synchronize() }

  func insert(_ title: String) async throws { try await context.persist { $0.insert(Ticket.self).title = title } }

  func titles() async throws -> [String] {
    try await context.perform { try $0.fetch(Ticket.self).map(\.title).sorted() }
  }
}
