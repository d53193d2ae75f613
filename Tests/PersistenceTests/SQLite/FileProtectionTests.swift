import Foundation
import Testing

@testable import Persistence

@Suite struct FileProtectionTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  @Test func `a store with a protection class and without backups is used like any other`() async throws {
    let container = try await store.open(Film.self, Director.self) { configuration in
      configuration.fileProtection = .completeUntilFirstUserAuthentication
      configuration.isExcludedFromBackup = true
    }
    let context = container.newContext()
    try await context.persist { $0.insert(Film.self).title = "Fargo" }
    #if canImport(Darwin)
    for suffix in ["", "-wal", "-shm"] {
      let url = URL(filePath: store.file.path + suffix)
      #expect(try url.resourceValues(forKeys: [.isExcludedFromBackupKey]).isExcludedFromBackup == true)
    }
    #endif
    await container.close()
    let again = try await store.open(Film.self, Director.self)
    #expect(try await again.newContext().perform { try $0.fetch(Film.self).map(\.title) } == ["Fargo"])
  }

  /// The flags are those of Apple's `sqlite3.h`.
  @Test func `each protection class has its flag, with which Apple's SQLite creates the files`() {
    let classes: [(FileProtectionType?, Int32)] = [
      (.complete, 0x0010_0000), (.completeUnlessOpen, 0x0020_0000),
      (.completeUntilFirstUserAuthentication, 0x0030_0000), (FileProtectionType.none, 0x0040_0000),
      (FileProtectionType(rawValue: "a later one"), 0), (nil, 0),
    ]
    for (protection, flags) in classes {
      var configuration = StoreConfiguration()
      configuration.fileProtection = protection
      #expect(configuration.protectionFlags == flags)
    }
  }

  @Test func `an in-memory store has no file to protect`() async throws {
    let container = try await PersistentContainer(at: .inMemory, schema: Schema(Film.self, Director.self)) {
      $0.fileProtection = .complete
      $0.isExcludedFromBackup = true
    }
    #expect(try await container.newContext().perform { try $0.count(Film.self) } == 0)
  }
}
