import Foundation
import LarderTestSupport
import Persistence
import Testing

/// Stores that are opened read-only.
@Suite struct ReadOnlyTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  private func fill(_ count: Int = 3) async throws {
    let container = try await store.open(Left.self, Right.self, Counter.self)
    try await container.newContext().persist { objects in
      for number in 0..<count { objects.insert(Left.self).number = number }
    }
    await container.close()
  }

  private func openForReading() async throws -> PersistentContainer {
    try await store.open(Left.self, Right.self, Counter.self) { $0.isReadOnly = true }
  }

  private func reason(_ types: ManagedObject.Type...) async throws -> OpenFailure.Reason? {
    do {
      _ = try await PersistentContainer(at: .file(store.file), schema: Schema(types)) { $0.isReadOnly = true }
      return nil
    } catch {
      guard case .cannotOpen(let failure) = error else { throw error }
      return failure.reason
    }
  }

  private static func isReadOnly(_ error: any Error) -> Bool {
    if case .readOnly = error as? PersistenceError { true } else { false }
  }

  @Test func `every kind of write to a read-only store throws`() async throws {
    try await fill()
    let before = try Data(contentsOf: store.file)
    let container = try await openForReading()
    #expect(container.isReadOnly)
    let context = container.newContext()
    let works: [@Sendable (ObjectSpace) throws -> Void] = [
      { $0.insert(Left.self).number = 9 },
      { try $0.fetch(Left.self).first?.number = 9 },
      { objects in try objects.fetch(Left.self).forEach(objects.delete) },
      { _ = try $0.update(Left.self, set: [.set(\.number, to: 9)]) },
      { _ = try $0.delete(Left.self, where: { $0.number >= 0 }) },
      { _ = try $0.import(0..<3, into: Right.self, matching: \.number, [.set(\.number) { $0 }]) },
    ]
    for work in works {
      await #expect { try await context.persist(work) } throws: { Self.isReadOnly($0) }
    }
    await #expect { try await container.compact() } throws: { Self.isReadOnly($0) }
    // Everything that only reads works.
    #expect(try await context.persist { try $0.fetch(Left.self).map(\.number) } == [0, 1, 2])
    #expect(try await container.integrityCheck().isIntact)
    try await container.backup(to: store.folder.appending(path: "copy.db"))
    await container.close()
    #expect(try Data(contentsOf: store.file) == before)
    let names = try FileManager.default.contentsOfDirectory(atPath: store.folder.path).sorted()
    #expect(names == ["copy.db", "store.db"])
  }

  @Test @MainActor func `saving the view context of a read-only store throws and keeps its changes`() async throws {
    try await fill()
    let container = try await openForReading()
    let left = try #require(try container.viewContext.fetch(Left.self).first)
    left.number = 9
    #expect { try container.viewContext.save() } throws: { Self.isReadOnly($0) }
    #expect(container.viewContext.hasChanges && left.number == 9)
    container.viewContext.rollback()
    #expect(left.number == 0)
    _ = container.viewContext.insert(Left.self)
    #expect { try container.viewContext.save() } throws: { Self.isReadOnly($0) }
  }

  @Test func `a read-only container sees another container's commits`() async throws {
    try await fill()
    let reader = try await openForReading()
    let context = reader.newContext()
    #expect(try await context.perform { try $0.count(Left.self) } == 3)
    let writer = try await store.open(Left.self, Right.self, Counter.self)
    #expect(!writer.isReadOnly)
    try await writer.newContext().persist { $0.insert(Left.self).number = 3 }
    #expect(try await context.perform { try $0.count(Left.self) } == 4)
    await writer.close()
    #expect(try await context.perform { try $0.count(Left.self) } == 4)
    await reader.close()
    #expect(try FileManager.default.contentsOfDirectory(atPath: store.folder.path) == ["store.db"])
  }

  @Test func `opening a store read-only neither creates nor migrates it`() async throws {
    #expect(try await reason(Left.self) == .missing)
    #expect(try FileManager.default.contentsOfDirectory(atPath: store.folder.path).isEmpty)
    try Data().write(to: store.file)
    #expect(try await reason(Left.self) == .notAStore)
    #expect(try Data(contentsOf: store.file).isEmpty)
    try FileManager.default.removeItem(at: store.file)
    try await fill()
    let before = try Data(contentsOf: store.file)
    #expect(try await reason(Left.self, Right.self, Counter.self, Film.self, Director.self) == .migrationNeeded)
    #expect(try Data(contentsOf: store.file) == before)
    #expect(try await reason(Left.self, Right.self, Counter.self) == nil)
  }

  /// If the tests run as root, the worker reads as a user without permissions.
  @Test(arguments: [(0o444, 0o555), (0o444, 0o777), (0o666, 0o555)])
  func `a store can be read if its file or folder is not writable`(file: Int, folder: Int) async throws {
    try await fill(5)
    let manager = FileManager.default
    try manager.setAttributes([.posixPermissions: file], ofItemAtPath: store.file.path)
    try manager.setAttributes([.posixPermissions: folder], ofItemAtPath: store.folder.path)
    defer { try? manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: store.folder.path) }
    let worker = try ChildProcess.worker("read", store.file.path)
    var lines: [String] = []
    for await line in worker.lines { lines.append(line) }
    #expect(await worker.exit() == .code(0))
    #expect(lines == ["reads only: true", "5 objects", "writing: the store is read-only"])
    #expect(try manager.contentsOfDirectory(atPath: store.folder.path) == ["store.db"])
  }

  @Test func `polling a store in a folder that cannot be written creates no file`() async throws {
    try await fill()
    let files = try FileManager.default.contentsOfDirectory(atPath: store.folder.path)
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: store.file.path)
    let container = try await store.open(Left.self, Right.self, Counter.self) {
      $0.isReadOnly = true
      $0.pollInterval = .seconds(3600)
    }
    #expect(try await container.newContext().perform { try $0.count(Left.self) } == 3)
    await container.close()
    #expect(try FileManager.default.contentsOfDirectory(atPath: store.folder.path) == files)
  }
}
