import Foundation
import Persistence
import Testing

@Suite struct RecoveryTests {
  private func reason(
    _ url: URL, _ schema: Schema = DamagedFile.schema,
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

  private func names(in file: DamagedFile) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: file.store.folder.path).filter { $0.hasPrefix("store.db") }
      .sorted()
  }

  // What is wrong

  @Test func `a file that is cut off is told from one that is damaged`() async throws {
    let file = try await DamagedFile()
    try file.restore(withLog: false)
    try Damage.cut.apply(to: file.url, at: 8192, count: 0)
    #expect(try await reason(file.url) == .truncated)
    try file.restore(withLog: false)
    try Damage.cut.apply(to: file.url, at: 50, count: 0)
    #expect(try await reason(file.url) == .truncated)
    try file.restore(withLog: true)
    try Damage.cut.apply(to: file.url, at: 0, count: 0)
    #expect(try await reason(file.url) == .truncated)
    #expect(try Data(contentsOf: URL(filePath: file.url.path + "-wal")).count == file.size("-wal"))
    try file.restore(withLog: false)
    try Damage.zeroed.apply(to: file.url, at: 100, count: 3996)
    #expect(try await reason(file.url) == .corrupt)
    try file.restore(withLog: false)
    try Damage.flipped.apply(to: file.url, at: 0, count: 16)
    #expect(try await reason(file.url) == .notADatabase)
  }

  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: "/sys/kernel"), "needs a folder where even root may not write"))
  func `a folder that may not be written is told`() async throws {
    #expect(try await reason(URL(filePath: "/sys/kernel/store.db")) == .noPermission)
  }

  @Test func `a disk without room is told`() async throws {
    let store = try TemporaryStore()
    #expect(try await reason(store.file) { $0.sizeLimit = 8192 } == .full)
    #expect(try await reason(store.file) == nil)
  }

  @Test func `a store that somebody is writing to is busy`() async throws {
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
  func `another program's database is not touched by a single byte`() async throws {
    let store = try TemporaryStore()
    try await SQLiteShell.run("CREATE TABLE Movie(id); INSERT INTO Movie VALUES(1)", on: store.file)
    let before = try Data(contentsOf: store.file)
    #expect(try await reason(store.file) == .notAStore)
    #expect(try Data(contentsOf: store.file) == before)
  }

  @Test(.enabled(if: SQLiteShell.isAvailable, "needs the sqlite3 command"))
  func `a table that was changed by hand is told before it is migrated`() async throws {
    let store = try TemporaryStore()
    _ = try await store.open(Left.self)
    try await SQLiteShell.run("ALTER TABLE Left DROP COLUMN text", on: store.file)
    let found = try await reason(store.file, Schema(Left.self, Right.self))
    #expect(found == .wrongSchema("Left has other columns than the store's description says"))
  }

  // What is done about it

  @Test func `a damaged file keeps its bytes under another name`() async throws {
    let file = try await DamagedFile()
    for number in 1...3 {
      if number == 1 { try file.restore() } else { try Data("letter \(number) to my aunt\n".utf8).write(to: file.url) }
      if number == 1 { try Damage.cut.apply(to: file.url, at: 0, count: 0) }
      let before = try Data(contentsOf: file.url)
      let container = try await PersistentContainer(at: .file(file.url), schema: DamagedFile.schema) {
        $0.onDamage = .quarantine
      }
      let recovery = try #require(container.recovery)
      #expect(recovery.reason == (number == 1 ? .truncated : .notADatabase) && recovery.salvage == nil)
      #expect(recovery.quarantined.lastPathComponent == "store.db.damaged-\(number)")
      #expect(try Data(contentsOf: recovery.quarantined) == before)
      #expect(try await container.newContext().perform { try $0.count(Entry.self) } == 0)
      if number == 1 { #expect(try names(in: file).contains("store.db.damaged-1-wal")) }
    }
    let letter = try Data(contentsOf: URL(filePath: file.url.path + ".damaged-2"))
    #expect(String(decoding: letter, as: UTF8.self) == "letter 2 to my aunt\n")
    // A store that is sound is not put aside
    let container = try await PersistentContainer(at: .file(file.url), schema: DamagedFile.schema) {
      $0.onDamage = .quarantine
    }
    #expect(container.recovery == nil)
    let absent = file.store.folder.appending(path: "absent.db")
    await #expect(throws: PersistenceError.self) { try await PersistentContainer.quarantine(absent) }
  }

  @Test func `opening goes on with what can be read`() async throws {
    let file = try await DamagedFile()
    for damage in [(0, 16), (16, 2), (44, 4), (56, 4)] {
      // The log has the first page too: with it, the file's header would not matter.
      try file.restore(withLog: false)
      try Damage.flipped.apply(to: file.url, at: damage.0, count: damage.1)
      let container = try await PersistentContainer(at: .file(file.url), schema: DamagedFile.schema) {
        $0.onDamage = .salvage
      }
      let report = try #require(container.recovery?.salvage, "at \(damage.0)")
      #expect(report.isComplete && report.tables.map(\.name) == ["Drawer", "Entry"])
      #expect(report.tables.map(\.rows) == [1, DamagedFile.stored], "at \(damage.0)")
      #expect(try names(in: file).contains("store.db.damaged-1") && !names(in: file).contains("store.db.salvaged"))
      #expect(try await file.isRight())
    }
  }

  @Test func `salvage reads everything but the damaged pages`() async throws {
    let file = try await DamagedFile()
    let size = try file.size()
    var complete = 0
    var least = Int.max
    for page in stride(from: 4096, to: size, by: 4096) {
      for damage in [Damage.flipped, .zeroed] {
        try file.restore(withLog: false)
        try damage.apply(to: file.url, at: page, count: 4096)
        let before = try Data(contentsOf: file.url)
        let target = file.store.folder.appending(path: "store.db.new")
        let report = try await PersistentContainer.salvage(file.url, to: target, schema: DamagedFile.schema)
        #expect(try Data(contentsOf: file.url) == before)
        let entries = try #require(report.tables.first { $0.name == "Entry" })
        let numbers = try await PersistentContainer(at: .file(target), schema: DamagedFile.schema).newContext()
          .perform { objects in
            let all = try objects.fetch(Entry.self)
            #expect(all.allSatisfy { $0.text == DamagedFile.text($0.number) && $0.key == $0.number })
            #expect(objects.insert(Entry.self).id.rawValue > all.last?.id.rawValue ?? 0)
            return all.map { ($0.id.rawValue, $0.number) }
          }
        #expect(numbers.count == entries.rows)
        // What is missing lies in the gaps
        let found = Set(numbers.map(\.1))
        let isTold = numbers.first.map { first in
          (0..<DamagedFile.stored).allSatisfy { number in
            let id = first.0 + Int64(number - first.1)
            return found.contains(number) || entries.gaps.contains { $0.contains(id) }
          }
        }
        #expect(isTold ?? true, "page \(page / 4096)")
        if report.isComplete { complete += 1 }
        if numbers.count > 0 { least = min(least, numbers.count) }
      }
    }
    // One page of a table holds fewer than a hundred entries.
    #expect(complete > 0 && least > DamagedFile.stored - 100)
  }

  @Test func `salvage of half a file reads half of it`() async throws {
    let file = try await DamagedFile()
    try file.restore(withLog: false)
    try Damage.cut.apply(to: file.url, at: try file.size() / 2 / 4096 * 4096, count: 0)
    let target = file.store.folder.appending(path: "store.db.new")
    let report = try await PersistentContainer.salvage(file.url, to: target, schema: DamagedFile.schema)
    let entries = try #require(report.tables.first { $0.name == "Entry" })
    #expect(entries.rows > 50 && !entries.gaps.isEmpty && !report.isComplete)
    // Never into a file that is there
    await #expect {
      try await PersistentContainer.salvage(file.url, to: target, schema: DamagedFile.schema)
    } throws: { error in
      guard case .cannotOpen(let failure) = error as? PersistenceError else { return false }
      return failure.reason == .exists
    }
  }

  @Test func `an interrupted salvage is completed by the next opening`() async throws {
    let file = try await DamagedFile()
    try file.restore(withLog: false)
    try Damage.flipped.apply(to: file.url, at: 0, count: 16)
    let salvaged = URL(filePath: file.url.path + ".salvaged")
    try await PersistentContainer.salvage(file.url, to: salvaged, schema: DamagedFile.schema)
    _ = try await PersistentContainer.quarantine(file.url)
    let container = try await PersistentContainer(at: .file(file.url), schema: DamagedFile.schema) {
      $0.onDamage = .salvage
    }
    #expect(try await container.newContext().perform { try $0.count(Entry.self) } == DamagedFile.stored)
  }
}
