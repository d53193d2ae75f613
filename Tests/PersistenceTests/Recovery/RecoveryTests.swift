import Foundation
import Persistence
import Testing

@Suite struct RecoveryTests {
  private func reason(
    _ url: URL, _ schema: Schema = CorruptFile.schema,
    configure: @Sendable (inout StoreConfiguration) -> Void = { _ in }
  ) async throws -> OpenFailure.Reason? {
    do {
      _ = try await PersistentContainer(at: .file(url), schema: schema, configure: configure)
      return nil
    } catch {
      guard case .cannotOpen(let failure) = error else { throw error }
      return failure.reason
    }
  }

  private func names(in file: CorruptFile) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: file.store.folder.path).filter { $0.hasPrefix("store.db") }
      .sorted()
  }

  // Reported reasons

  @Test func `opening distinguishes a truncated file from a corrupt one`() async throws {
    let file = try await CorruptFile()
    try file.restore(withLog: false)
    try Corruption.cut.apply(to: file.url, at: 8192, count: 0)
    #expect(try await reason(file.url) == .truncated)
    try file.restore(withLog: false)
    try Corruption.cut.apply(to: file.url, at: 50, count: 0)
    #expect(try await reason(file.url) == .truncated)
    try file.restore(withLog: true)
    try Corruption.cut.apply(to: file.url, at: 0, count: 0)
    #expect(try await reason(file.url) == .truncated)
    #expect(try Data(contentsOf: URL(filePath: file.url.path + "-wal")).count == file.size("-wal"))
    try file.restore(withLog: false)
    try Corruption.zeroed.apply(to: file.url, at: 100, count: 3996)
    #expect(try await reason(file.url) == .corrupt)
    try file.restore(withLog: false)
    try Corruption.flipped.apply(to: file.url, at: 0, count: 16)
    #expect(try await reason(file.url) == .notADatabase)
  }

  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: "/sys/kernel"), "needs a folder where even root may not write"))
  func `opening a store in a folder without write permission fails with its reason`() async throws {
    #expect(try await reason(URL(filePath: "/sys/kernel/store.db")) == .noPermission)
  }

  @Test func `opening a store without enough space fails with its reason`() async throws {
    let store = try TemporaryStore()
    #expect(try await reason(store.file) { $0.sizeLimit = 8192 } == .full)
    #expect(try await reason(store.file) == nil)
  }

  @Test func `migrating a store that another context is writing to fails as busy`() async throws {
    let store = try TemporaryStore()
    let context = try await store.open(Left.self).newContext()
    let (begun, begin) = AsyncStream<Void>.makeStream()
    let release = DispatchSemaphore(value: 0)
    async let writing: Void = context.persist { objects in
      objects.insert(Left.self).number = 1
      _ = try objects.count(Left.self)
      begin.finish()
      release.wait()
    }
    for await _ in begun {}
    let found = try await reason(store.file, Schema(Left.self, Right.self)) { $0.busyTimeout = .milliseconds(20) }
    release.signal()
    #expect(found == .busy)
    try await writing
    #expect(try await reason(store.file, Schema(Left.self, Right.self)) == nil)
  }

  @Test(.enabled(if: SQLiteShell.isAvailable, "needs the sqlite3 command"))
  func `opening another program's database changes none of its bytes`() async throws {
    let store = try TemporaryStore()
    try await SQLiteShell.run("CREATE TABLE Movie(id); INSERT INTO Movie VALUES(1)", on: store.file)
    let before = try Data(contentsOf: store.file)
    #expect(try await reason(store.file) == .notAStore)
    #expect(try Data(contentsOf: store.file) == before)
  }

  @Test(.enabled(if: SQLiteShell.isAvailable, "needs the sqlite3 command"))
  func `opening reports a table that was changed by hand before it is migrated`() async throws {
    let store = try TemporaryStore()
    _ = try await store.open(Left.self)
    try await SQLiteShell.run("ALTER TABLE Left DROP COLUMN text", on: store.file)
    let found = try await reason(store.file, Schema(Left.self, Right.self))
    #expect(found == .wrongSchema("the columns of Left differ from the store's schema description"))
  }

  // Quarantine and salvage

  @Test func `quarantine keeps a corrupt file's bytes under another name`() async throws {
    let file = try await CorruptFile()
    for number in 1...3 {
      if number == 1 { try file.restore() } else { try Data("letter \(number) to my aunt\n".utf8).write(to: file.url) }
      if number == 1 { try Corruption.cut.apply(to: file.url, at: 0, count: 0) }
      let before = try Data(contentsOf: file.url)
      let container = try await PersistentContainer(at: .file(file.url), schema: CorruptFile.schema) {
        $0.onCorruption = .quarantine
      }
      let recovery = try #require(container.recovery)
      #expect(recovery.reason == (number == 1 ? .truncated : .notADatabase) && recovery.salvage == nil)
      #expect(recovery.quarantined.lastPathComponent == "store.db.corrupt-\(number)")
      #expect(try Data(contentsOf: recovery.quarantined) == before)
      #expect(try await container.newContext().perform { try $0.count(Entry.self) } == 0)
      if number == 1 { #expect(try names(in: file).contains("store.db.corrupt-1-wal")) }
    }
    let letter = try Data(contentsOf: URL(filePath: file.url.path + ".corrupt-2"))
    #expect(String(decoding: letter, as: UTF8.self) == "letter 2 to my aunt\n")
    // An intact store is not quarantined
    let container = try await PersistentContainer(at: .file(file.url), schema: CorruptFile.schema) {
      $0.onCorruption = .quarantine
    }
    #expect(container.recovery == nil)
    let absent = file.store.folder.appending(path: "absent.db")
    await #expect(throws: PersistenceError.self) { try await PersistentContainer.quarantine(absent) }
  }

  @Test func `opening with salvage continues with the rows that can be read`() async throws {
    let file = try await CorruptFile()
    for corruption in [(0, 16), (16, 2), (44, 4), (56, 4)] {
      // The log contains the first page too; with it, the file's header would not matter.
      try file.restore(withLog: false)
      try Corruption.flipped.apply(to: file.url, at: corruption.0, count: corruption.1)
      let container = try await PersistentContainer(at: .file(file.url), schema: CorruptFile.schema) {
        $0.onCorruption = .salvage
      }
      let report = try #require(container.recovery?.salvage, "at \(corruption.0)")
      #expect(report.isComplete && report.tables.map(\.name) == ["Drawer", "Entry"])
      #expect(report.tables.map(\.rows) == [1, CorruptFile.stored], "at \(corruption.0)")
      #expect(try names(in: file).contains("store.db.corrupt-1") && !names(in: file).contains("store.db.salvaged"))
      #expect(try await file.isRight())
    }
  }

  @Test func `salvage reads everything except the corrupt pages`() async throws {
    let file = try await CorruptFile()
    let size = try file.size()
    var (complete, checked) = (0, 0)
    var least = Int.max
    for page in stride(from: 4096, to: size, by: 4096) {
      for corruption in [Corruption.flipped, .zeroed] {
        try file.restore(withLog: false)
        try corruption.apply(to: file.url, at: page, count: 4096)
        let before = try Data(contentsOf: file.url)
        let target = file.store.folder.appending(path: "store.db.new")
        let report = try await PersistentContainer.salvage(file.url, to: target, schema: CorruptFile.schema)
        #expect(try Data(contentsOf: file.url) == before)
        let entries = try #require(report.tables.first { $0.name == "Entry" })
        let numbers = try await PersistentContainer(at: .file(target), schema: CorruptFile.schema).newContext()
          .perform { objects in
            let all = try objects.fetch(Entry.self)
            #expect(all.allSatisfy { $0.text == CorruptFile.text($0.number) && $0.key == $0.number })
            #expect(objects.insert(Entry.self).id.rawValue > all.last?.id.rawValue ?? 0)
            return all.map { ($0.id.rawValue, $0.number) }
          }
        #expect(numbers.count == entries.rows)
        // Missing rows are in the reported gaps
        let found = Set(numbers.map(\.1))
        if let first = numbers.first {
          checked += 1
          let isReported = (0..<CorruptFile.stored).allSatisfy { number in
            let id = first.0 + Int64(number - first.1)
            return found.contains(number) || entries.gaps.contains { $0.contains(id) }
          }
          #expect(isReported, "page \(page / 4096)")
        }
        if report.isComplete { complete += 1 }
        if numbers.count > 0 { least = min(least, numbers.count) }
      }
    }
    // One page of a table holds fewer than a hundred entries.
    #expect(complete > 0 && checked > complete && least > CorruptFile.stored - 100)
  }

  @Test func `salvage of half a file reads its rows and reports the gaps`() async throws {
    let file = try await CorruptFile()
    try file.restore(withLog: false)
    try Corruption.cut.apply(to: file.url, at: try file.size() / 2 / 4096 * 4096, count: 0)
    let target = file.store.folder.appending(path: "store.db.new")
    let report = try await PersistentContainer.salvage(file.url, to: target, schema: CorruptFile.schema)
    let entries = try #require(report.tables.first { $0.name == "Entry" })
    #expect(entries.rows > 50 && !entries.gaps.isEmpty && !report.isComplete)
    // Salvage never writes to an existing file
    await #expect {
      try await PersistentContainer.salvage(file.url, to: target, schema: CorruptFile.schema)
    } throws: { error in
      guard case .cannotOpen(let failure) = error as? PersistenceError else { return false }
      return failure.reason == .exists
    }
  }

  @Test func `salvage calculates folded texts and fields of JSON again`() async throws {
    let store = try TemporaryStore()
    let file = store.folder.appending(path: "shanties.db")
    let schema = Schema(Sailor.self, Shanty.self)
    do {
      let container = try await PersistentContainer(at: .file(file), schema: schema)
      try await container.newContext().persist { objects in
        for title in ["Été", "Drunken"] {
          let shanty = objects.insert(Shanty.self)
          (shanty.title, shanty.cover.format) = (title, "LP")
        }
      }
      await container.close()
    }
    let plain = try PlainSQLite(file)
    try plain.run("UPDATE Shanty SET _folded_title = x'00' WHERE _id = 1")
    try plain.run("UPDATE Shanty SET \"_field_cover/format\" = 7")
    let target = store.folder.appending(path: "salvaged.db")
    let report = try await PersistentContainer.salvage(file, to: target, schema: schema)
    #expect(report.tables.map(\.refused) == [0, 0])
    let salvaged = try await PersistentContainer(at: .file(target), schema: schema)
    #expect(try await salvaged.integrityCheck().isIntact)
    let titles = try await salvaged.newContext().perform { objects in
      try objects.fetch(Shanty.self, where: { $0.cover.format == "LP" && $0.title.folded.hasPrefix("e") }).map(\.title)
    }
    #expect(titles == ["Été"])
  }

  @Test func `the next opening completes an interrupted salvage`() async throws {
    let file = try await CorruptFile()
    try file.restore(withLog: false)
    try Corruption.flipped.apply(to: file.url, at: 0, count: 16)
    let salvaged = URL(filePath: file.url.path + ".salvaged")
    try await PersistentContainer.salvage(file.url, to: salvaged, schema: CorruptFile.schema)
    _ = try await PersistentContainer.quarantine(file.url)
    let container = try await PersistentContainer(at: .file(file.url), schema: CorruptFile.schema) {
      $0.onCorruption = .salvage
    }
    #expect(try await container.newContext().perform { try $0.count(Entry.self) } == CorruptFile.stored)
  }
}
