import Foundation
import Persistence
import SyncKit
import SyncTesting
import Testing

/// An API in memory as the tests of an app use it: nothing but public names.
@Suite(.timeLimit(.minutes(2))) struct MemoryAPITests {
  @Test func `what one device writes arrives on another one, with relationships and lists`() async throws {
    try await Library.with(devices: 2) { api, devices in
      try await devices[0].context.persist { objects in
        let (book, shelf, genre) = (objects.insert(Book.self), objects.insert(Shelf.self), objects.insert(Genre.self))
        (book.title, shelf.name, genre.name) = ("Emma", "A", "novel")
        book.shelf = shelf
        book.genres.insert(genre)
      }
      try await devices[0].synchronize()
      let there = try #require(try await api.objects(Book.self).first)
      #expect(there[\.title] == "Emma")
      #expect(there.key(of: \.shelf) == (try await api.objects(Shelf.self).first?.key))
      #expect(there.keys(of: \.genres) == (try await api.objects(Genre.self).compactMap(\.key)))
      #expect(there.key?.uuid != nil)
      try await devices[1].synchronize()
      #expect(try await devices[1].books() == ["Emma on A of novel"])
      try await devices[1].context.persist { try $0.fetch(Book.self).first?.title = "Persuasion" }
      try await devices[1].synchronize()
      try await devices[0].synchronize()
      #expect(try await devices[0].books() == ["Persuasion on A of novel"])
      try await devices[0].context.persist { objects in
        for book in try objects.fetch(Book.self) { objects.delete(book) }
      }
      try await devices[0].synchronize()
      try await devices[1].synchronize()
      #expect(try await devices[1].books() == [])
      #expect(try await api.objects(Book.self).isEmpty)
    }
  }

  @Test(arguments: [MemoryFault.lost, .answerLost, .busy(), .busy(milliseconds: 60_000), .signedOut])
  func `a creation whose requests fail for a while arrives once`(fault: MemoryFault) async throws {
    try await Library.with { api, devices in
      await api.fail(.push, with: fault, times: nil)
      try await devices[0].insert("Emma")
      let status = try await devices[0].synchronize()
      #expect(!status.isSynchronized && status.isPaused == (fault == .signedOut))
      #expect(status.sending == (fault == .lost || fault == .answerLost ? 1 : 0))
      #expect(await api.requests.contains(.push) == (fault != .lost))
      await api.heal()
      // What a server has asked for, no poll ends.
      if fault == .busy(milliseconds: 60_000) { #expect(try await !devices[0].synchronize().isSynchronized) }
      #expect(try await devices[0].restart().isSynchronized)
      #expect(try await api.objects(Book.self).map { $0[\.title] } == ["Emma"])
    }
  }

  @Test func `an engine that is stopped before it knows the answer creates nothing twice`() async throws {
    try await Library.with { api, devices in
      await api.fail(.push, with: .held)
      try await devices[0].insert("Emma")
      try await api.received(.push, times: 1)
      #expect(try await devices[0].restart().isSynchronized)
      #expect(try await api.objects(Book.self).count == 1)
    }
  }

  @Test func `an edit while the object is being sent is sent after it`() async throws {
    try await Library.with { api, devices in
      await api.fail(.push, with: .held)
      try await devices[0].insert("Emma")
      try await api.received(.push, times: 1)
      let id = try #require(try await devices[0].context.perform { try $0.fetch(Book.self).first?.id })
      guard case .sending = try await devices[0].engine.status(of: SyncedObject(id)).state else {
        Testing.Issue.record("it is not being sent")
        return
      }
      try await devices[0].context.persist { try $0.object(id).title = "Persuasion" }
      await api.release()
      #expect(try await devices[0].synchronize().isSynchronized)
      #expect(try await api.objects(Book.self).map { $0[\.title] } == ["Persuasion"])
      #expect(await api.requests.count { $0 == .push } == 2)
    }
  }

  @Test func `an object that shifts out of a reading stays`() async throws {
    try await Library.with(listing: .offsets(5)) { api, devices in
      for number in 0..<10 {
        try await api.insert(Genre.self, key: SyncKey(number)) { $0.set(\.name, to: "\(number)") }
      }
      try await devices[0].synchronize()
      let pulls = await api.requests.count { $0 == .pull }
      await api.fail(.pull, with: .held)
      await devices[0].engine.refresh()
      try await api.received(.pull, times: pulls + 1)
      // The sixth is the fifth by the time of the second page.
      try await api.delete(Genre.self, 0)
      await api.release()
      try await devices[0].synchronize()
      for _ in 0..<2 { try await devices[0].synchronize() }
      let names = try await devices[0].context.perform { try $0.fetch(Genre.self).map(\.name).sorted() }
      #expect(names == (1..<10).map { "\($0)" })
    }
  }

  @Test func `an object that may have been created is unconfirmed, or found`() async throws {
    for (settling, pushes) in [(CreationSettling.none, 1), (.find, 1)] {
      try await Library.with(created: settling) { api, devices in
        await api.fail(.push, with: .answerLost)
        try await devices[0].insert("Emma")
        try await devices[0].synchronize()
        let status = try await devices[0].restart()
        #expect(status.unconfirmed == (settling == .none ? 1 : 0))
        #expect(try await api.objects(Book.self).count == 1)
        #expect(await api.requests.count { $0 == .push } == pushes)
      }
    }
  }

  @Test func `an empty page that fails to be one deletes nothing until the app has said so`() async throws {
    try await Library.with { api, devices in
      for number in 0..<30 { try await api.insert(Book.self) { $0.set(\.title, to: "\(number)") } }
      #expect(try await devices[0].synchronize().doubtful.isEmpty)
      await api.fail(.pull, with: .emptyPage)
      #expect(try await devices[0].synchronize().doubtful == ["all"])
      #expect(try await devices[0].books().count == 30)
      #expect(try await devices[0].synchronize().doubtful.isEmpty)
    }
  }

  @Test(arguments: [MemoryAPI.Listing.whole, .pages(7), .offsets(7), .changes(7)])
  func `all objects arrive, and those that are deleted go, whatever pages contain`(
    listing: MemoryAPI.Listing
  ) async throws {
    try await Library.with(listing: listing) { api, devices in
      for number in 0..<30 {
        let shelf = try await api.insert(Shelf.self) { $0.set(\.name, to: "\(number)") }
        try await api.insert(Book.self) {
          $0.set(\.title, to: "\(number)")
          $0.set(\.shelf, key: shelf)
        }
      }
      try await devices[0].synchronize()
      #expect(try await devices[0].books() == (0..<30).map { "\($0) on \($0) of " }.sorted())
      for book in try await api.objects(Book.self).suffix(5) { try await api.delete(Book.self, try #require(book.key)) }
      let first = try #require(try await api.objects(Book.self).first?.key)
      try await api.update(Book.self, first) { $0.set(\.title, to: "new") }
      try await devices[0].synchronize()
      // What one reading of pages that shift does not have may have moved.
      if case .offsets = listing { try await devices[0].synchronize() }
      #expect(try await devices[0].books() == (["new on 0 of "] + (1..<25).map { "\($0) on \($0) of " }).sorted())
    }
  }

  @Test func `a list whose position the API does not know any more is read from the beginning`() async throws {
    try await Library.with(listing: .changes(3)) { api, devices in
      for number in 0..<10 { try await api.insert(Book.self) { $0.set(\.title, to: "\(number)") } }
      await api.fail(.pull, with: .unknownPosition, times: 3)
      for _ in 0..<4 { try await devices[0].synchronize() }
      #expect(try await devices[0].books().count == 10)
      try await api.insert(Book.self) { $0.set(\.title, to: "new") }
      await api.fail(.pull, with: .unknownPosition)
      #expect(try await devices[0].synchronize().error as? SyncError == .unknownPosition)
      #expect(try await devices[0].synchronize().error == nil)
      #expect(try await devices[0].books().count == 11)
    }
  }

  @Test func `a read that does not see the last changes undoes nothing`() async throws {
    var capabilities = RemoteCapabilities()
    capabilities.versions = .ordered
    try await Library.with(capabilities) { api, devices in
      try await devices[0].insert("Emma")
      try await devices[0].synchronize()
      await api.lag(by: 2)
      try await devices[0].context.persist { try $0.fetch(Book.self).first?.title = "Persuasion" }
      try await api.insert(Book.self) { $0.set(\.title, to: "Sanditon") }
      for _ in 0..<2 { try await devices[0].synchronize() }
      #expect(try await devices[0].books() == ["Persuasion on - of "])
      await api.heal()
      #expect(try await devices[0].synchronize().isSynchronized)
      #expect(try await devices[0].books() == ["Persuasion on - of ", "Sanditon on - of "])
    }
  }

  @Test func `values that the API does not take are rejected, and those that it writes otherwise come back`()
    async throws
  {
    try await Library.with { api, devices in
      try await api.reject(Book.self) { $0[\.title]?.isEmpty == true ? "a title is necessary" : nil }
      try await api.normalize(Book.self) { book, values in
        values.set(\.title, to: book[\.title]?.trimmingCharacters(in: .whitespaces) ?? "")
      }
      try await devices[0].insert("")
      try await devices[0].synchronize()
      #expect(try await devices[0].engine.rejections().map(\.reason) == ["a title is necessary"])
      try await devices[0].context.persist { try $0.fetch(Book.self).first?.title = " Emma " }
      #expect(try await devices[0].synchronize().isSynchronized)
      #expect(try await devices[0].books() == ["Emma on - of "])
      await api.fail(.push, with: .rejected("not today"))
      try await devices[0].context.persist { try $0.fetch(Book.self).first?.title = "Persuasion" }
      try await devices[0].synchronize()
      #expect(try await devices[0].engine.rejections().map(\.reason) == ["not today"])
    }
  }

  @Test func `an update of what another client has changed is a conflict`() async throws {
    var capabilities = RemoteCapabilities()
    (capabilities.versions, capabilities.comparesVersions) = (.opaque, true)
    try await Library.with(capabilities) { api, devices in
      let key = try await api.insert(Book.self) { $0.set(\.title, to: "Emma") }
      try await devices[0].synchronize()
      try await api.update(Book.self, key) { $0.set(\.title, to: "Persuasion") }
      await api.fail(.pull, with: .lost, times: nil)
      try await devices[0].context.persist { try $0.fetch(Book.self).first?.title = "Lady Susan" }
      try await devices[0].synchronize()
      let conflict = try #require(try await devices[0].engine.conflicts().first)
      #expect(conflict.mine(\Book.title) == "Lady Susan" && conflict.theirs(\Book.title) == "Persuasion")
    }
  }

  @Test func `a change of an erased object is gone, and one of a deleted object is missing`() async throws {
    try await Library.with { api, devices in
      let keys = [try await api.insert(Book.self) { $0.set(\.title, to: "A") }]
      let other = try await api.insert(Book.self) { $0.set(\.title, to: "B") }
      try await devices[0].synchronize()
      try await api.erase(Book.self, keys[0])
      try await api.delete(Book.self, other)
      await api.fail(.pull, with: .lost, times: nil)
      try await devices[0].context.persist { objects in
        for book in try objects.fetch(Book.self) { book.title += "!" }
      }
      for _ in 0..<2 { try await devices[0].synchronize() }
      #expect(try await devices[0].books() == [])
      let kinds = try await devices[0].engine.conflicts().map(\.kind)
      #expect(kinds.contains(.erased) && kinds.contains(.deletedThere) && kinds.count == 2)
    }
  }

  @Test(arguments: [CreationSettling.idempotencyKey, .clientKey, .find])
  func `a repetition is normalized as the first attempt is`(settling: CreationSettling) async throws {
    try await Library.with(created: settling) { api, devices in
      try await api.normalize(Book.self) { book, values in
        values.set(\.title, to: book[\.title]?.trimmingCharacters(in: .whitespaces) ?? "")
      }
      try await devices[0].insert("Emma")
      try await devices[0].synchronize()
      await api.fail(.push, with: .answerLost)
      try await devices[0].context.persist { try $0.fetch(Book.self).first?.title = " Persuasion " }
      for _ in 0..<2 { try await devices[0].synchronize() }
      #expect(try await api.objects(Book.self).map { $0[\.title] } == ["Persuasion"])
      #expect(try await devices[0].books() == ["Persuasion on - of "])
    }
  }

  @Test(arguments: [RemoteCapabilities.Batch.one, .many(2), .atomic(100)], [false, true])
  func `what is sent together arrives, whatever a request can change and an answer contains`(
    batch: RemoteCapabilities.Batch, isBare: Bool
  ) async throws {
    var capabilities = RemoteCapabilities()
    (capabilities.batch, capabilities.fetchesRows) = (batch, isBare)
    try await Library.with(capabilities, answersWithObjects: !isBare) { api, devices in
      await api.fail(.fetch, with: .busy())
      try await devices[0].context.persist { objects in
        for number in 0..<5 {
          let (book, shelf) = (objects.insert(Book.self), objects.insert(Shelf.self))
          (book.title, shelf.name, book.shelf) = ("\(number)", "\(number)", shelf)
        }
      }
      for _ in 0..<2 { try await devices[0].synchronize() }
      let status = try await devices[0].synchronize()
      #expect(status.isSynchronized && status.owed == 0)
      #expect(try await api.objects(Book.self).count == 5)
      #expect(await api.requests.contains(.fetch) == isBare)
      try await api.reject(Shelf.self) { $0[\.name] == "poison" ? "no" : nil }
      try await devices[0].context.persist { objects in
        let (book, shelf) = (objects.insert(Book.self), objects.insert(Shelf.self))
        (book.title, shelf.name, book.shelf) = ("6", "poison", shelf)
      }
      try await devices[0].synchronize()
      #expect(try await devices[0].engine.rejections().count == 1)
      #expect(try await api.objects(Book.self).count == 5)
    }
  }

  @Test(arguments: [false, true]) func `a command is performed once, if the API recognizes it`(
    isRecognized: Bool
  ) async throws {
    var capabilities = RemoteCapabilities()
    capabilities.recognizesCommands = isRecognized
    try await Library.with(capabilities) { api, devices in
      await api.fail(.perform, with: .answerLost)
      try await devices[0].engine.enqueue(try SyncCommand("send", encoding: "all"))
      try await devices[0].synchronize()
      let status = try await devices[0].restart()
      #expect(await api.commands.map(\.name) == ["send"])
      #expect(status.isSynchronized == isRecognized)
      if isRecognized { #expect(await api.requests.count { $0 == .perform } == 2) }
    }
  }

  @Test func `what a command does there arrives here, or it is rejected`() async throws {
    try await Library.with { api, devices in
      await api.answerCommands { command, api in
        if command.name == "burn" { return .rejected("no") }
        try api.insert(Book.self) { $0.set(\.title, to: command.name) }
        return .done
      }
      for name in ["lend", "burn"] { try await devices[0].engine.enqueue(SyncCommand(name)) }
      try await devices[0].synchronize()
      #expect(try await devices[0].books() == ["lend on - of "])
      guard case .rejected("no")? = try await devices[0].engine.commands().first?.state else {
        Testing.Issue.record("it is not rejected")
        return
      }
    }
  }

  @Test func `an API that compares versions has some`() async throws {
    var capabilities = RemoteCapabilities()
    capabilities.comparesVersions = true
    try await Library.with(capabilities) { api, _ in
      #expect(api.capabilities.versions == .opaque)
      let key = try await api.insert(Book.self) { $0.set(\.title, to: "A") }
      #expect(try await api.object(Book.self, key)?.version != nil)
      #expect(try await api.object(Book.self, key)?[\.identifier] == key.uuid)
    }
  }

  @Test func `a key that a test has given is not assigned again`() async throws {
    try await Library.with { api, devices in
      for number in 1...3 { try await api.insert(Genre.self, key: SyncKey(number)) { $0.set(\.name, to: "there") } }
      try await devices[0].context.persist { $0.insert(Genre.self).name = "here" }
      #expect(try await devices[0].synchronize().isSynchronized)
      #expect(try await api.objects(Genre.self).map { $0[\.name] } == ["there", "there", "there", "here"])
    }
  }

  @Test func `a key that the app leaves to the engine is the one that the API receives`() async throws {
    try await Library.with(created: .clientKey) { api, devices in
      for number in 0..<5 {
        try await devices[0].insert("\(number)")
        try await devices[0].synchronize()
      }
      let here = try await devices[0].context.perform {
        try $0.fetch(Book.self).map { $0.identifier.map { SyncKey($0) } }
      }
      let there = try await api.objects(Book.self).map(\.key)
      #expect(Set(here) == Set(there) && there.count == 5)
    }
  }

  @Test func `who waits for requests and is cancelled goes on`() async throws {
    try await Library.with { api, _ in
      let waiting = Task { try await api.received(.push, times: 1) }
      // By then it usually waits.
      for _ in 0..<100 { await Task.yield() }
      waiting.cancel()
      await #expect(throws: CancellationError.self) { try await waiting.value }
    }
  }

  @Test func `a class that is not synchronized is refused`() async throws {
    try await Library.with { api, _ in
      await #expect(throws: SyncError.self) { try await api.objects(Stranger.self) }
      await #expect(throws: SyncError.self) { try await api.insert(Stranger.self) { _ in } }
      await #expect(throws: SyncError.self) { try await api.delete(Stranger.self, 1) }
      await #expect(throws: SyncError.self, "the key is a number") { try await api.delete(Book.self, 1) }
    }
  }
}
