import Foundation
import Testing

@testable import Persistence

/// What happens to a file between two operations of a container that has it open.
private enum Event: String, CaseIterable {
  case moved, deleted, replaced, logRemoved, logAndIndexRemoved, folderRenamed, movedAndBack
}

/// What the container does next.
private enum Next: String, CaseIterable {
  case readOld, readNew, persistOld, persistNew, saveView, suspendAndResume, resume, backUp, check, compact, close
}

@Suite struct MovedFileTests {
  let store: TemporaryStore
  private let files = FileManager.default

  init() throws {
    store = try TemporaryStore()
    try files.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private var folder: URL { store.folder.appending(path: "data") }
  private var file: URL { folder.appending(path: "store.db") }
  private var aside: URL { store.folder.appending(path: "aside") }

  private func open(_ url: URL) async throws -> PersistentContainer {
    try await PersistentContainer(at: .file(url), schema: Schema(Left.self, Right.self, Counter.self)) {
      $0.checkpointStep = 20
    }
  }

  private func insert(_ count: Int, _ context: ObjectContext) async throws {
    try await context.persist { objects in
      for _ in 0..<count { objects.insert(Left.self).text = "row" }
    }
  }

  private func apply(_ event: Event) async throws {
    switch event {
    case .moved: try files.moveItem(at: file, to: aside)
    case .deleted:
      // The second name lets the test put the file back.
      try files.linkItem(at: file, to: aside)
      try files.removeItem(at: file)
    case .replaced:
      let other = try await open(store.folder.appending(path: "other.db"))
      try await insert(1, other.newContext())
      try await other.backup(to: store.folder.appending(path: "copy.db"))
      await other.close()
      try files.moveItem(at: file, to: aside)
      try files.moveItem(at: store.folder.appending(path: "copy.db"), to: file)
    case .logRemoved: try? files.removeItem(atPath: file.path + "-wal")
    case .logAndIndexRemoved: for suffix in ["-wal", "-shm"] { try? files.removeItem(atPath: file.path + suffix) }
    case .folderRenamed: try files.moveItem(at: folder, to: aside)
    case .movedAndBack:
      try files.moveItem(at: file, to: aside)
      try files.moveItem(at: aside, to: file)
    }
  }

  private func undo(_ event: Event) async throws {
    switch event {
    case .moved, .deleted: try files.moveItem(at: aside, to: file)
    case .replaced:
      let other = try await open(file)
      #expect(try await rows(other.newContext()) == 1)
      #expect(try await other.integrityCheck().isIntact)
      await other.close()
      try files.removeItem(at: file)
      try files.moveItem(at: aside, to: file)
    case .folderRenamed: try files.moveItem(at: aside, to: folder)
    case .logRemoved, .logAndIndexRemoved, .movedAndBack: break
    }
  }

  private func rows(_ context: ObjectContext) async throws -> Int {
    try await context.perform { try $0.count(Left.self) }
  }

  /// Returns how many rows were acknowledged.
  @MainActor private func perform(
    _ next: Next, _ container: PersistentContainer, _ old: ObjectContext, _ event: Event
  ) async throws -> Int {
    switch next {
    case .readOld: #expect(try await rows(old) == 100)
    case .readNew: #expect(try await rows(container.newContext()) == 100)
    case .persistOld: try await insert(1, old)
    case .persistNew: try await insert(1, container.newContext())
    case .saveView:
      container.viewContext.insert(Left.self).text = "row"
      try container.viewContext.save()
    case .suspendAndResume:
      await container.suspend()
      await container.resume()
      try await insert(1, old)
    case .resume:
      await container.suspend()
      try await apply(event)
      await container.resume()
      try await insert(1, old)
    case .backUp: try await container.backup(to: store.folder.appending(path: "backup.db"))
    case .check: #expect(try await container.integrityCheck().isIntact)
    case .compact: _ = try await container.compact()
    case .close: await container.close()
    }
    return [.persistOld, .persistNew, .saveView, .suspendAndResume, .resume].contains(next) ? 1 : 0
  }

  @MainActor @Test(arguments: Event.allCases, Next.allCases)
  fileprivate func `what happens to the file of an open container loses nothing that was acknowledged`(
    _ event: Event, _ next: Next
  ) async throws {
    let container = try await open(file)
    let old = container.newContext()
    for _ in 0..<4 { try await insert(25, old) }
    container.viewContext.insert(Left.self).text = "view"
    try container.viewContext.save()
    try await old.persist { objects in
      objects.delete(try #require(try objects.fetch(Left.self, where: { $0.text == "view" }).first))
    }
    if next != .resume { try await apply(event) }
    var acknowledged = 100
    var isRefused = false
    do {
      acknowledged += try await perform(next, container, old, event)
    } catch PersistenceError.cannotOpen(let failure) {
      #expect(failure.reason == .moved)
      isRefused = true
    }
    let isLogGone = event == .logRemoved || event == .logAndIndexRemoved
    // The last connection to close saves what is in a log without a name.
    let mayGoOn = event == .movedAndBack || isLogGone && (next == .suspendAndResume || next == .resume)
    #expect(isRefused == (!mayGoOn && next != .close && next != .readOld))
    #expect(!isRefused || !files.fileExists(atPath: store.folder.path + "/backup.db"))
    if event == .moved || event == .deleted { #expect(!files.fileExists(atPath: file.path)) }
    if event == .folderRenamed { #expect(!files.fileExists(atPath: folder.path)) }
    await container.close()
    try await undo(event)
    let reopened = try await open(file)
    #expect(try await rows(reopened.newContext()) == acknowledged)
    #expect(try await reopened.integrityCheck().isIntact)
  }

  @Test func `a container works again once its file is back`() async throws {
    let container = try await open(file)
    let contexts = [container.newContext(), container.newContext()]
    for context in contexts { try await insert(25, context) }
    try await apply(.moved)
    for context in contexts + [container.newContext()] {
      await #expect(throws: PersistenceError.self) { try await insert(1, context) }
    }
    try await undo(.moved)
    for context in contexts + [container.newContext()] { try await insert(10, context) }
    #expect(try await rows(container.newContext()) == 80)
    #expect(try await container.integrityCheck().isIntact)
  }

  @Test func `a commit is not acknowledged if the file loses its name in the meantime`() async throws {
    let container = try await open(file)
    let context = container.newContext()
    try await insert(1, context)
    await #expect {
      try await context.persist { objects in
        objects.insert(Left.self).text = "row"
        _ = try objects.count(Left.self)
        try FileManager.default.moveItem(at: file, to: aside)
      }
    } throws: { error in
      guard case .indeterminate = error as? PersistenceError else { return false }
      return true
    }
    await #expect {
      try await insert(1, context)
    } throws: { error in
      guard case .cannotOpen(let failure) = error as? PersistenceError else { return false }
      return failure.reason == .moved
    }
    try await undo(.moved)
    #expect((1...2).contains(try await rows(container.newContext())))
  }

  @Test func `a log that another process removes after a plain read of the file is missed by the next commit`()
    async throws
  {
    let container = try await open(file)
    let context = container.newContext()
    try await insert(50, context)
    // Closing the file releases the locks of this process, so the other one believes that it is alone.
    _ = try Data(contentsOf: file)
    #expect(try await SQLiteShell.run("SELECT count(*) FROM \"Left\"", on: file) == "50\n")
    #expect(!files.fileExists(atPath: file.path + "-wal"))
    for context in [context, container.newContext()] {
      await #expect {
        try await insert(1, context)
      } throws: { error in
        guard case .cannotOpen(let failure) = error as? PersistenceError else { return false }
        return failure.reason == .moved
      }
    }
    await container.close()
    let reopened = try await open(file)
    try await insert(1, reopened.newContext())
    #expect(try await rows(reopened.newContext()) == 51)
  }

  @Test func `a symbolic link that leads to another file does not mix the two stores`() async throws {
    let other = store.folder.appending(path: "other.db")
    for url in [file, other] { await (try await open(url)).close() }
    let link = store.folder.appending(path: "link.db")
    try files.createSymbolicLink(at: link, withDestinationURL: file)
    let container = try await open(link)
    let old = container.newContext()
    for context in [old, container.newContext()] { try await insert(1, context) }
    try files.removeItem(at: link)
    try files.createSymbolicLink(at: link, withDestinationURL: other)
    await #expect(throws: PersistenceError.self) { try await insert(1, container.newContext()) }
    // The file itself is where it was.
    try await insert(1, old)
    await container.close()
    for (url, count) in [(file, 3), (other, 0)] { #expect(try await rows(open(url).newContext()) == count) }
  }

  @Test func `a store in memory has no file to miss`() async throws {
    let container = try await PersistentContainer(at: .inMemory, schema: Schema(Left.self, Right.self, Counter.self))
    let context = container.newContext()
    try await insert(1, context)
    await container.suspend()
    await container.resume()
    try await insert(1, context)
    #expect(try await rows(container.newContext()) == 2)
  }

  @Test func `closing a container leaves alone what others have committed to the file in its place`() async throws {
    let container = try await open(file)
    let context = container.newContext()
    try await insert(100, context)
    try await apply(.replaced)
    // Another program has the file open when it commits, and still when the container is closed.
    let program = try PlainSQLite(file)
    try program.run("SELECT count(*) FROM Left; INSERT INTO Left(_id,_version,text,number) VALUES(500,1,'theirs',0)")
    await container.close()
    try program.run("UPDATE Left SET text='found' WHERE _id=500")
    try program.run("SELECT CASE changes() WHEN 1 THEN 1 ELSE abs(-9223372036854775808) END")
  }
}
