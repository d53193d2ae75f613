import PersistenceTesting
import Testing

@testable import Persistence

@Suite struct CacheSizeTests {
  @Test func `the first transaction that writes gives a connection the larger cache`() async throws {
    let store = try TemporaryStore()
    let container = try await store.open(Left.self)
    let connection = try container.store.connect()
    try connection.beginReading()
    connection.rollback()
    #expect(try connection.statement("PRAGMA cache_size").integer() == -2000)
    try connection.beginWriting()
    #expect(try connection.statement("PRAGMA cache_size").integer() == -8000)
    connection.rollback()
    connection.close()
    await container.close()
  }
}
