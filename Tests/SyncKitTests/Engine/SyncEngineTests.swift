import Foundation
import LarderTestSupport
import Persistence
import SyncKit
import Testing

/// The engine as an app uses it: nothing but public names.
@Suite(.timeLimit(.minutes(2))) struct SyncEngineTests {
  let api = TicketAPI()

  private func withApp(_ remote: TicketRemote? = nil, _ body: (TicketApp) async throws -> Void) async throws {
    try await TicketApp.with(remote ?? TicketRemote(api: api), body)
  }

  @Test func `objects with a relationship arrive, and get their keys`() async throws {
    try await withApp { app in
      try await app.engine.start()
      let due = Date(timeIntervalSince1970: 1_700_000_000.25)
      let id = try await app.insert("Print", in: "One")
      try await app.edit(id) { ($0.due, $0.isExpanded) = (due, true) }
      let status = try await app.engine.synchronize()
      #expect(status.isSynchronized)
      #expect(status.error == nil)
      let rows = try await api.list()
      let milestone = try #require(rows.first { $0.isMilestone })
      let ticket = try #require(rows.first { !$0.isMilestone })
      #expect((ticket.title, ticket.due, ticket.milestone) == ("Print", due, milestone.number))
      #expect(try await app.engine.status(of: SyncedObject(id)).key == SyncKey(ticket.number))
      #expect(try await app.engine.status(of: SyncedObject(id)).since == nil)
      #expect(try await app.engine.status().waitingSince == nil)
      #expect(try await app.context.perform { try $0.object(id).number } == ticket.number)
      #expect(try await app.context.perform { try $0.object(id).isExpanded })
    }
  }

  @Test func `a second device has what the first one sent, and its deletions`() async throws {
    try await withApp { one in
      try await withApp { two in
        try await one.engine.start()
        try await two.engine.start()
        let id = try await one.insert("Print", in: "One")
        try await one.engine.synchronize()
        try await two.engine.synchronize()
        let milestone = try await two.context.perform { try $0.fetch(Ticket.self).first?.milestone?.title }
        #expect(milestone == "One")
        try await one.context.persist { $0.delete(try $0.object(id)) }
        try await one.engine.synchronize()
        try await two.engine.synchronize()
        #expect(try await two.titles() == [])
      }
    }
  }

  @Test func `a rejected object says why, holds what belongs to it, and is sent when it changes`() async throws {
    await api.set(rejects: true)
    try await withApp { app in
      try await app.engine.start()
      let (bad, good) = try await app.context.persist { objects in
        let tickets = ["bad!", "with it"].map { title in
          let ticket = objects.insert(Ticket.self)
          ticket.title = title
          return ticket
        }
        return (tickets[0].id, tickets[1].id)
      }
      try await app.insert("alone")
      var status = try await app.engine.synchronize()
      #expect(try await api.list().map(\.title).contains("alone"))
      #expect((status.rejected, status.isSynchronized) == (1, false))
      let rejection = try #require(try await app.engine.rejections().first)
      #expect(rejection.reason == "no exclamations")
      #expect(rejection.object.id(as: Ticket.self) == bad)
      #expect(rejection.object.id(as: Milestone.self) == nil)
      #expect(try await app.engine.status(of: SyncedObject(bad)).state == .rejected("no exclamations"))
      let since = try #require(try await app.engine.status(of: SyncedObject(bad)).since)
      #expect(abs(since.timeIntervalSinceNow) < 600)
      #expect(try await app.engine.status().waitingSince.map { abs($0.timeIntervalSinceNow) < 600 } == true)
      let sibling = try await app.engine.status(of: SyncedObject(good)).state
      #expect([.synchronized, .waiting(for: [rejection.object])].contains(sibling))
      try await app.edit(bad) { $0.title = "good" }
      status = try await app.engine.synchronize()
      #expect(status.isSynchronized)
      #expect(try await api.list().map(\.title).sorted() == ["alone", "good", "with it"])
    }
  }

  @Test func `a rejected object is sent again as it is, or given up`() async throws {
    await api.set(rejects: true)
    try await withApp { app in
      try await app.engine.start()
      let (first, second) = (try await app.insert("one!"), try await app.insert("two!"))
      #expect(try await app.engine.synchronize().rejected == 2)
      await api.set(rejects: false)
      try await app.engine.retry(SyncedObject(first))
      try await app.engine.discard(SyncedObject(second))
      #expect(try await app.engine.synchronize().isSynchronized)
      #expect(try await app.titles() == ["one!"])
      #expect(try await api.list().map(\.title) == ["one!"])
    }
  }

  @Test func `a value that a merge gave up is there until it is dismissed`() async throws {
    try await withApp { app in
      try await app.engine.start()
      let id = try await app.insert("Print")
      try await app.engine.synchronize()
      let number = try #require(try await api.list().first?.number)
      await app.engine.stop()
      try await app.edit(id) { ($0.title, $0.notes) = ("mine", "kept") }
      _ = try await api.update(number) { $0.title = "theirs" }
      try await app.engine.start()
      try await app.engine.synchronize()
      // Without comparing versions, the last write wins. What was read first decides.
      let conflicts = try await app.engine.conflicts()
      let merged = try await app.context.perform { objects in
        let ticket = try objects.object(id)
        return [ticket.title, ticket.notes]
      }
      #expect(merged[1] == "kept")
      for conflict in conflicts {
        #expect(conflict.kind == .changed(property: "title"))
        #expect(conflict.base(\Ticket.title) == "Print")
        #expect(conflict.mine(\Ticket.title) == "mine")
        #expect(conflict.theirs(\Ticket.title) == "theirs")
        #expect(conflict.mine(\Ticket.notes) == nil)
        #expect(conflict.object.id(as: Ticket.self) == id)
        try await app.engine.dismiss(conflict)
      }
      #expect(merged[0] == (conflicts.isEmpty ? "mine" : "theirs"))
      #expect(try await app.engine.conflicts().isEmpty)
    }
  }

  @Test func `a relationship that both sides changed is read as the ids of its objects`() async throws {
    try await withApp { app in
      try await app.engine.start()
      let id = try await app.insert("Print", in: "one")
      try await app.insert("Scan", in: "two")
      try await app.insert("Copy", in: "three")
      try await app.engine.synchronize()
      let milestones = try await app.context.perform { objects in
        try objects.fetch(Milestone.self).sorted { $0.id.rawValue < $1.id.rawValue }.map { ($0.id, $0.number) }
      }
      let (one, two, three) = (milestones[0].0, milestones[1].0, milestones[2])
      // What is rejected is compared with what the server has.
      await api.set(rejects: true)
      try await app.context.persist { objects in
        let ticket = try objects.object(id)
        (ticket.title, ticket.milestone) = ("Print!", try objects.object(two))
      }
      #expect(try await app.engine.synchronize().rejected == 1)
      let number = try #require(try await api.list().first { $0.title == "Print" }?.number)
      _ = try await api.update(number) { $0.milestone = three.1 }
      try await app.engine.synchronize()
      let conflicts = try await app.engine.conflicts()
      #expect(conflicts.map(\.kind) == [.changed(property: "milestone")])
      #expect(conflicts.first?.base(idOf: \Ticket.milestone) == one)
      #expect(conflicts.first?.mine(idOf: \Ticket.milestone) == two)
      #expect(conflicts.first?.theirs(idOf: \Ticket.milestone) == three.0)
    }
  }

  @Test func `without a way to settle a creation, the app decides`() async throws {
    try await withApp(TicketRemote(api: api, settling: .none)) { app in
      try await app.engine.start()
      await api.set(losesAnswers: true)
      let (there, gone) = (try await app.insert("there"), try await app.insert("gone"))
      try await app.engine.synchronize()
      try await app.restart()
      await api.set(losesAnswers: false)
      let status = try await app.restart()
      #expect(status.unconfirmed == 2)
      #expect(try await app.engine.unconfirmed().compactMap { $0.id(as: Ticket.self) } == [there, gone])
      let rows = try await api.list()
      let remote = try #require(rows.first { $0.title == "there" })
      try await api.delete(try #require(rows.first { $0.title == "gone" }).number)
      try await app.engine.confirm(SyncedObject(there), as: remote.remote)
      try await app.engine.confirm(SyncedObject(gone), as: nil)
      #expect(try await app.engine.synchronize().isSynchronized)
      #expect(try await api.list().map(\.title) == ["there", "gone"])
    }
  }

  @Test func `a lost answer is settled by the same idempotency key`() async throws {
    try await withApp { app in
      try await app.engine.start()
      await api.set(losesAnswers: true)
      try await app.insert("once")
      // Not by `synchronize()`, which may repeat what has failed before it.
      for await status in app.engine.statuses where status.error is TicketAPI.Lost { break }
      await api.set(losesAnswers: false)
      #expect(try await app.restart().isSynchronized)
      #expect(try await api.list().map(\.title) == ["once"])
      let keys = await api.keys
      #expect(keys.count == 2)
      #expect(Set(keys).count == 1)
    }
  }

  @Test func `an older copy of a store sends other keys`() async throws {
    try await withApp { app in
      try await app.engine.start()
      try await app.insert("first")
      try await app.engine.synchronize()
      let copy = try await TicketApp(TicketRemote(api: api), copying: app)
      try await app.insert("second")
      try await app.engine.synchronize()
      try await copy.insert("in the copy")
      try await copy.restart()
      try await app.engine.synchronize()
      #expect(Set(await api.keys).count == 3)
      #expect(try await app.titles() == ["first", "in the copy", "second"])
      #expect(try await copy.titles() == ["first", "in the copy", "second"])
      await copy.remove()
    }
  }

  @Test func `a lost answer is settled by looking for the object`() async throws {
    try await withApp(TicketRemote(api: api, settling: .find)) { app in
      try await app.engine.start()
      await api.set(losesAnswers: true)
      try await app.insert("sought")
      try await app.engine.synchronize()
      await api.set(losesAnswers: false)
      #expect(try await app.restart().isSynchronized)
      #expect(try await api.list().map(\.title) == ["sought"])
      #expect(await api.keys.count == 1)
    }
  }

  @Test func `who is signed out asks nothing more until it is refreshed`() async throws {
    try await withApp { app in
      await api.set(isSignedOut: true)
      try await app.engine.start()
      var status = try await app.engine.synchronize()
      #expect(status.isPaused)
      let requests = await api.requests
      try await app.insert("waits")
      #expect(await eventually { (try? await app.engine.status().waiting) == 1 })
      #expect(await api.requests == requests)
      await api.set(isSignedOut: false)
      await app.engine.stop()
      try await app.engine.start()
      status = try await app.engine.synchronize()
      #expect((status.isPaused, status.isSynchronized) == (false, true))
    }
  }

  @Test func `one engine drives a store`() async throws {
    try await withApp { app in
      let other = try TicketApp.engine(app.container, app.remote)
      try await app.engine.start()
      try await app.engine.start()
      await #expect(throws: SyncError.alreadyDriven) { try await other.start() }
      await app.engine.stop()
      try await other.start()
      await #expect(throws: SyncError.alreadyDriven) { try await app.engine.start() }
      await other.stop()
      await #expect(throws: SyncError.notRunning) { try await other.retry(SyncedObject(ObjectID<Ticket>(rawValue: 1))) }
    }
  }

  @Test func `starts and stops at the same time come to an end`() async throws {
    try await withApp { app in
      try await app.insert("one")
      await withTaskGroup { group in
        for number in 0..<40 {
          group.addTask {
            switch number % 4 {
            case 0: try? await app.engine.start()
            case 1: await app.engine.stop()
            case 2: _ = try? await app.engine.synchronize()
            default: _ = try? await app.insert("\(number)")
            }
          }
        }
      }
      #expect(try await app.restart().isSynchronized)
      #expect(try await api.list().map(\.title).sorted() == app.titles())
    }
  }

  @Test func `the status is observed from the beginning until all has arrived`() async throws {
    try await withApp { app in
      try await app.insert("one")
      let statuses = app.engine.statuses
      try await app.engine.start()
      var waited = false
      for await status in statuses {
        if status.waiting + status.sending > 0 { waited = true }
        if waited, status.isSynchronized, status.isRunning { break }
      }
      #expect(waited)
      #expect(try await api.list().map(\.title) == ["one"])
    }
  }

  @Test func `a change knows its key as the attribute, and a deletion what the server had`() async throws {
    try await withApp { app in
      try await app.engine.start()
      let id = try await app.insert("one", in: "Milestone")
      try await app.engine.synchronize()
      try await app.context.persist { $0.delete(try $0.object(id)) }
      try await app.engine.synchronize()
      let deleted = try #require(await api.deleted)
      #expect((deleted.number, deleted.title) == (deleted.key, "one"))
      #expect(deleted.milestone != nil)
    }
  }

  @Test func `a text that only looks the same is sent`() async throws {
    try await withApp { app in
      try await app.engine.start()
      let id = try await app.insert("e\u{301}")
      try await app.engine.synchronize()
      try await app.edit(id) { $0.title = "\u{E9}" }
      try await app.engine.synchronize()
      #expect(try await api.list().map { Array($0.title.utf8) } == [Array("\u{E9}".utf8)])
    }
  }

  @Test func `the statuses end with the store`() async throws {
    try await withApp { app in
      try await app.engine.start()
      let statuses = app.engine.statuses
      let reader = Task { for await _ in statuses {} }
      try await app.engine.synchronize()
      await app.container.close()
      await reader.value
    }
  }

  @Test func `a change that a busy server does not take is sent later, and once`() async throws {
    await api.set(isBusy: true)
    try await withApp { app in
      try await app.engine.start()
      let id = try await app.insert("later")
      try await app.engine.synchronize()
      #expect(try await app.engine.status(of: SyncedObject(id)).state == .waiting(for: []))
      let requests = await api.requests
      #expect(try await app.engine.status().waiting == 1)
      #expect(await api.requests == requests)
      await api.set(isBusy: false)
      #expect(try await app.engine.synchronize().isSynchronized)
      #expect(try await api.list().map(\.title) == ["later"])
    }
  }

  @Test func `what was answered is recorded although the engine is stopped`() async throws {
    try await withApp(TicketRemote(api: api, settling: .none)) { app in
      try await app.engine.start()
      for number in 0..<20 {
        try await app.insert("\(number)")
        if number % 5 == 0 { try await app.restart() } else { await app.engine.stop() }
        try await app.engine.start()
      }
      #expect(try await app.restart().unconfirmed == 0)
      #expect(try await api.list().count == 20)
    }
  }

  @Test func `a store that was closed is driven by the next engine`() async throws {
    try await withApp { app in
      try await app.insert("one")
      try await app.engine.start()
      await app.container.close()
      let again = try await TicketApp.open(app.folder, app.remote)
      let engine = try TicketApp.engine(again, app.remote)
      #expect(await eventually { (try? await engine.start()) != nil })
      #expect(try await engine.synchronize().isSynchronized)
      #expect(try await api.list().map(\.title) == ["one"])
      await engine.stop()
      await again.close()
    }
  }
}
