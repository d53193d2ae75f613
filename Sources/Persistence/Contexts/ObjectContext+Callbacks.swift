internal import Dispatch

extension ObjectContext {
  /// The callback form of ``persist(_:)``. It returns immediately and calls `callback` exactly once, in the callback's
  /// isolation:
  ///
  /// ```swift
  /// context.persist({ try $0.object(id).popularity = 21.5 }) {
  ///   @MainActor [weak self] result in
  ///   self?.show(result)
  /// }
  /// ```
  ///
  /// If you call this method within a closure of the same context, `body` runs after that closure has ended.
  public nonisolated func persist<Value: Sendable>(
    _ body: @escaping @Sendable (ObjectSpace) throws -> Value,
    callback: @escaping @isolated(any) @Sendable (Result<Value, PersistenceError>) -> Void
  ) {
    run(callback) { (space) throws(PersistenceError) in try space.persist(body) }
  }

  /// The callback form of ``perform(_:)``. It returns immediately and calls `callback` exactly once, in the callback's
  /// isolation.
  public nonisolated func perform<Value: Sendable>(
    _ body: @escaping @Sendable (ObjectSpace) throws -> Value,
    callback: @escaping @isolated(any) @Sendable (Result<Value, PersistenceError>) -> Void
  ) {
    run(callback) { (space) throws(PersistenceError) in try space.perform(body) }
  }

  private nonisolated func run<Value: Sendable>(
    _ callback: @escaping @isolated(any) @Sendable (Result<Value, PersistenceError>) -> Void,
    _ work: @escaping @Sendable (ObjectSpace) throws(PersistenceError) -> Value
  ) {
    executor.queue.async {
      let result = self.assumeIsolated { context in
        Result { () throws(PersistenceError) in try work(context.connected()) }
      }
      Task { await callback(result) }
    }
  }
}
