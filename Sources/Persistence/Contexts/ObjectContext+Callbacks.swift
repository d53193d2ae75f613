internal import Dispatch

extension ObjectContext {
  /// Runs a closure and saves its changes, as ``persist(isolation:_:)`` does, but passes the result to a callback. This
  /// method returns immediately. After the changes have been saved or an error has occurred, it calls `callback` once,
  /// in the callback's isolation:
  ///
  /// ```swift
  /// context.persist({ try $0.object(id).popularity = 21.5 }) {
  ///   @MainActor [weak self] result in
  ///   self?.show(result)
  /// }
  /// ```
  ///
  /// If you call this method from a closure that is running in the same context, `body` runs after that closure has
  /// ended.
  public nonisolated func persist<Value: Sendable>(
    _ body: @escaping @Sendable (ObjectSpace) throws -> Value,
    callback: @escaping @isolated(any) @Sendable (Result<Value, PersistenceError>) -> Void
  ) {
    run(callback) { (space) throws(PersistenceError) in try space.persist(body) }
  }

  /// Runs a closure, as ``perform(_:)`` does, but passes the result to a callback. This method returns immediately.
  /// After the closure has ended or an error has occurred, it calls `callback` exactly once, in the callback's
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
      Task {
        await self.store.settleMain(callback.isolation)
        await callback(result)
      }
    }
  }
}
