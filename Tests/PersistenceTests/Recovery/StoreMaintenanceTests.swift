import Foundation
import Persistence
import PersistenceTesting
import Testing

@Suite struct StoreMaintenanceTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  private func container() async throws -> PersistentContainer { try await store.open(Entry.self, Drawer.self) }

  private func isBusy(_ error: any Error) -> Bool {
    guard case .cannotOpen(let failure) = error as? PersistenceError else { return false }
    return failure.reason == .busy
  }

  @Test func `a backup of a store that is being written contains one snapshot`() async throws {
    let container = try await container()
    try await CorruptFile.fill(container, 0..<2000)
    let url = store.folder.appending(path: "copy.db")
    // A writer commits whenever pages have been copied
    let context = container.newContext()
    let committed = Committed()
    try await container.backup(to: url) { _, _ in
      let (done, end) = (DispatchSemaphore(value: 0), committed.add())
      context.persist({ $0.insert(Entry.self).number = -end }) { _ in done.signal() }
      done.wait()
    }
    #expect(committed.count > 0)
    let numbers = try await PersistentContainer(at: .file(url), schema: CorruptFile.schema).newContext().perform {
      try $0.fetch(Entry.self, sort: [.ascending(\.number)]).map(\.number)
    }
    #expect(numbers == Array(0..<2000))
    #expect(try await container.newContext().perform { try $0.count(Entry.self) } == 2000 + committed.count)
    #expect(!FileManager.default.fileExists(atPath: url.path + ".partial"))
    // Nothing is overwritten
    let before = try Data(contentsOf: url)
    await #expect(throws: PersistenceError.self) { try await container.backup(to: url) }
    #expect(try Data(contentsOf: url) == before)
    await #expect(throws: PersistenceError.self) {
      try await container.backup(to: store.folder.appending(path: "missing/copy.db"))
    }
  }

  private final class Committed: @unchecked Sendable {
    // @unchecked: the backup reports its progress on one thread, which has ended when the count is read.
    private(set) var count = 0

    func add() -> Int {
      count += 1
      return count
    }
  }

  @Test(arguments: StorageFaults.Kind.allCases)
  func `a backup that fails leaves no files behind`(_ kind: StorageFaults.Kind) async throws {
    let faults = StorageFaults()
    let container = try await store.open(Entry.self, Drawer.self) { faults.apply(to: &$0) }
    try await CorruptFile.fill(container, 0..<100)
    let url = store.folder.appending(path: "copy.db")
    var operation = 1
    while true {
      faults.fail(kind, at: operation)
      do {
        try await container.backup(to: url)
      } catch {
        #expect(!FileManager.default.fileExists(atPath: url.path) && error.outcome == .rolledBack)
      }
      let fired = faults.hasFired
      faults.stop()
      if !fired { break }
      #expect(!FileManager.default.fileExists(atPath: url.path + ".partial"))
      operation += 1
      if FileManager.default.fileExists(atPath: url.path) { try FileManager.default.removeItem(at: url) }
    }
    #expect(operation > 5 && FileManager.default.fileExists(atPath: url.path))
  }

  @Test func `an integrity check of an intact store finds no problem`() async throws {
    let container = try await container()
    try await CorruptFile.fill(container, 0..<200)
    #expect(try await container.integrityCheck().isIntact)
  }

  @Test(.enabled(if: SQLiteShell.isAvailable, "needs the sqlite3 command"))
  func `an integrity check finds dangling relationships and missing index entries`() async throws {
    try await CorruptFile.fill(container(), 0..<200)
    try await SQLiteShell.run("PRAGMA foreign_keys=OFF; UPDATE Entry SET shelf=77 WHERE number<3", on: store.file)
    let report = try await container().integrityCheck()
    #expect(report.dangling == ["Entry": 3] && report.problems.isEmpty && !report.isIntact)
    try await SQLiteShell.run(
      "PRAGMA writable_schema=ON; UPDATE sqlite_master SET sql=replace(sql,'number','text') WHERE type='index' "
        + "AND name LIKE '%.key'; UPDATE sqlite_master SET sql='CREATE INDEX \"Entry.shelf.\" ON \"Entry\"(\"number\")' "
        + "WHERE name='Entry.shelf.'", on: store.file)
    #expect(try await container().integrityCheck().problems.contains { $0.contains("Entry.shelf.") })
  }

  @Test func `compacting shrinks the file and keeps its objects`() async throws {
    let container = try await container()
    try await CorruptFile.fill(container, 0..<3000)
    try await container.newContext().persist { objects in
      for entry in try objects.fetch(Entry.self) where entry.number >= 100 { objects.delete(entry) }
    }
    let sizes = try await container.compact()
    #expect(sizes.after < sizes.before / 2)
    #expect(try Data(contentsOf: store.file).count == sizes.after)
    let numbers = try await container.newContext().perform { try $0.fetch(Entry.self).map(\.number) }
    #expect(numbers == Array(0..<100))
    #expect(try await container.integrityCheck().isIntact)
  }

  @Test func `compacting empties the log while checkpoints run`() async throws {
    let container = try await container()
    try await container.newContext().persist { objects in
      for number in 0..<60 {
        let entry = objects.insert(Entry.self)
        (entry.number, entry.text) = (number, String(repeating: "x", count: 100_000))
      }
    }
    // The log exists as long as a context uses it.
    let context = container.newContext()
    for _ in 0..<8 {
      try await context.persist { try $0.fetch(Entry.self).first?.number += 1 }
      try await container.compact()
      #expect(try size("-wal") == 0)
    }
    #expect(try size() > 6_000_000)
    #expect(try await container.integrityCheck().isIntact)
  }

  private func size(_ suffix: String = "") throws -> Int {
    try FileManager.default.attributesOfItem(atPath: store.file.path + suffix)[.size] as? Int ?? 0
  }

  @Test func `destroying a store fails while it is in use, and otherwise removes its files`() async throws {
    do {
      let container = try await container()
      let context = container.newContext()
      try await CorruptFile.fill(container, 0..<10)
      #expect(try await context.perform { try $0.count(Entry.self) } == 10)
      let error = await #expect(throws: PersistenceError.self) { try await PersistentContainer.destroy(at: store.file) }
      #expect(error.map(isBusy) == true)
      #expect(try await context.perform { try $0.count(Entry.self) } == 10)
      await context.reset()
    }
    try await PersistentContainer.destroy(at: store.file)
    #expect(try FileManager.default.contentsOfDirectory(atPath: store.folder.path).isEmpty)
    await #expect {
      try await PersistentContainer.destroy(at: store.file)
    } throws: { error in
      guard case .cannotOpen(let failure) = error as? PersistenceError else { return false }
      return failure.reason == .missing
    }
    // A file that is not a database can be destroyed too
    try Data("letter".utf8).write(to: store.file)
    try await PersistentContainer.destroy(at: store.file)
    #expect(!FileManager.default.fileExists(atPath: store.file.path))
  }
}
