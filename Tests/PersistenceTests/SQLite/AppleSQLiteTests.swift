import CLarderFaults
import Foundation
import Testing

@testable import Persistence

/// Where Apple's SQLite has defaults of its own.
@Suite struct AppleSQLiteTests {
  @Test func `closing the last connection removes the log, even if SQLite keeps logs by default`() async throws {
    try #require(cfaults_keep_logs(1) == 0)
    defer { _ = cfaults_keep_logs(0) }
    let store = try TemporaryStore()
    let container = try await store.open(Left.self)
    let context = container.newContext()
    try await context.persist { _ = $0.insert(Left.self) }
    #expect(withExtendedLifetime(context) { FileManager.default.fileExists(atPath: store.file.path + "-wal") })
    await container.close()
    #expect(try FileManager.default.contentsOfDirectory(atPath: store.folder.path) == ["store.db"])
  }

  @Test(arguments: [Durability.processCrash, .powerLoss])
  func `checkpoints wait for the drive, because every durability promises an intact store`(
    durability: Durability
  ) async throws {
    let store = try TemporaryStore()
    let container = try await store.open(Left.self) { $0.durability = durability }
    let connection = try container.store.access.connect()
    #expect(try connection.statement("PRAGMA checkpoint_fullfsync").integer() == 1)
    #expect(try connection.statement("PRAGMA fullfsync").integer() == (durability == .powerLoss ? 1 : 0))
    connection.close()
    await container.close()
  }

  @Test func `opening distinguishes a file that alone was deleted from one that is truncated`() async throws {
    let store = try TemporaryStore()
    try Data([1, 2, 3]).write(to: URL(filePath: store.file.path + "-wal"))
    func reason() async throws -> OpenFailure.Reason? {
      do throws(PersistenceError) {
        await (try PersistentContainer(at: .file(store.file), schema: Schema(Left.self))).close()
      } catch {
        if case .cannotOpen(let failure) = error { return failure.reason }
      }
      return nil
    }
    #expect(try await reason() == .orphanedLog)
    try Data().write(to: store.file)
    #expect(try await reason() == .truncated)
    #expect(try Data(contentsOf: URL(filePath: store.file.path + "-wal")) == Data([1, 2, 3]))
  }

  @Test func `a log without its file is quarantined if the configuration says so`() async throws {
    let store = try TemporaryStore()
    try Data([1, 2, 3]).write(to: URL(filePath: store.file.path + "-wal"))
    let container = try await store.open(Left.self) { $0.onCorruption = .quarantine }
    #expect(container.recovery?.reason == .orphanedLog)
    await container.close()
  }
}
