internal import Dispatch

/// Reads a value in a context of its own, and signals when commits may have changed it.
final class ValueReader<Value: Sendable>: Sendable {
  let signals: AsyncStream<Void>
  private let read: @Sendable (ObjectSpace) throws -> Value
  private let context: ObjectContext
  private let progress: Lock<ReadProgress>
  private let listener: CommitListener
  let store: Store

  init(_ store: Store, _ read: @escaping @Sendable (ObjectSpace) throws -> Value) {
    self.store = store
    self.read = read
    context = store.contexts.make(for: store, merging: .report)
    let progress = Lock(ReadProgress())
    let (signals, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let queue = store.commitQueue
    listener = CommitListener(
      settled: { commit in
        queue.async { if progress.withLock({ $0.receive(commit) }) { continuation.yield() } }
      }, finish: { continuation.finish() })
    self.progress = progress
    self.signals = signals
    // Before the first read, so that no commit is missed.
    store.access.commits.add(listener)
  }

  deinit { store.access.commits.remove(listener) }

  /// Returns the value, or nil if it is not outdated. During a suspension it is not.
  func take() async throws(PersistenceError) -> Value? {
    while progress.withLock({ $0.beginIfOutdated() }) {
      do throws(PersistenceError) {
        let (value, region, seen) = try await context.readNoting(read)
        progress.withLock { $0.finish(seen: seen, region) }
        return value
      } catch {
        let isOutdated = progress.withLock { $0.fail() }
        guard case .suspended = error else { throw error }
        if !isOutdated { return nil }
      }
    }
    return nil
  }
}

extension ObjectContext {
  /// Runs the closure without any objects in memory, and returns which parts of the store it has read, and the number
  /// of a commit that it has certainly seen.
  func readNoting<Value: Sendable>(
    _ body: @Sendable (ObjectSpace) throws -> Value
  ) async throws(PersistenceError) -> (Value, ReadRegion, seen: UInt64) {
    let space = try connected()
    // The attributes of an object in memory are read without a statement.
    space.whileIsolated { $0.reset() }
    return try space.perform { space in
      let statements = try space.connection.readOnlyStatements()
      statements.noted = statements.noted ?? []
      try space.connection.indexTextsIfFree(of: space.store.searchTables)
      // The closure sees these commits, and perhaps later ones. Those are then read once too often. To know exactly,
      // the broadcaster's lock would be held during a read, which may wait for a writer that waits for this lock.
      let seen = space.store.commits.count
      let value = try body(space)
      return (value, ReadRegion(statements.noted ?? [], in: space.schema), seen)
    }
  }
}
