import PersistenceTesting
import Testing

@testable import Persistence

@Suite struct CacheSizeTests {
  @Test func `a connection enlarges its cache with its first write transaction`() async throws {
    let store = try TemporaryStore()
    let container = try await store.open(Left.self)
    let connection = try container.store.access.connect()
    try connection.beginReading()
    connection.rollback()
    #expect(try connection.statement("PRAGMA cache_size").integer() == -2000)
    try connection.beginWriting()
    #expect(try connection.statement("PRAGMA cache_size").integer() == -8192)
    connection.rollback()
    connection.close()
    await container.close()
  }

  @Test(arguments: [(1 << 20, 1024), (0, 64), (-1, 64)])
  func `a configured cache size applies to reading and writing`(bytes: Int, kilobytes: Int64) async throws {
    let store = try TemporaryStore()
    let container = try await store.open(Left.self) { $0.pageCacheSize = bytes }
    let connection = try container.store.access.connect()
    #expect(try connection.statement("PRAGMA cache_size").integer() == -kilobytes)
    try connection.beginWriting()
    #expect(try connection.statement("PRAGMA cache_size").integer() == -kilobytes)
    connection.rollback()
    connection.close()
    await container.close()
  }
}
