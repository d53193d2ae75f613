import Foundation
import PersistenceTesting
import Testing

@testable import Persistence

/// A disk that only its stores still use.
@Suite struct StorageFaultsLifetimeTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  @Test func `a container retains the disk on which it opens connections`() async throws {
    var faults: StorageFaults? = StorageFaults()
    weak var disk: StorageFaults?
    disk = faults
    do {
      let container = try await store.open(Left.self) { [faults] in faults?.apply(to: &$0) }
      faults = nil
      for number in 0..<3 {
        try await container.newContext().persist { $0.insert(Left.self).number = number }
      }
      #expect(disk != nil)
      #expect(try await container.newContext().perform { try $0.count(Left.self) } == 3)
      await container.close()
    }
    #expect(disk == nil)
  }

  @Test func `an open file needs no disk object`() throws {
    var configuration = StoreConfiguration()
    weak var disk: StorageFaults?
    do {
      let faults = StorageFaults()
      disk = faults
      faults.apply(to: &configuration)
    }
    let connection = try Connection(StorePlace(.file(store.file)), configuration, isNew: true)
    try connection.execute("CREATE TABLE left(number)")
    configuration = StoreConfiguration()
    #expect(disk == nil)
    // Memory that is still in use must not be given away again.
    let others = (0..<100).map { _ in StorageFaults() }
    try connection.execute("INSERT INTO left VALUES(1)")
    #expect(try connection.statement("SELECT count(*) FROM left").integer() == 1)
    connection.close()
    withExtendedLifetime(others) {}
  }
}
