// What a newcomer writes, with the message that leads to what works.

extension ObjectContext {
  /// Unavailable, because the closure passed to `persist` cannot be asynchronous.
  @available(*, unavailable, message: "the closure of 'persist' is one transaction and cannot wait: await values first")
  public func persist<Result>(
    _ body: (ObjectSpace) async throws -> Result
  ) async throws(PersistenceError) -> Result { throw .closed }

  /// Unavailable, because the closure passed to `perform` cannot be asynchronous.
  @available(*, unavailable, message: "the closure of 'perform' is one transaction and cannot wait: await values first")
  public func perform<Result>(
    _ body: (ObjectSpace) async throws -> Result
  ) async throws(PersistenceError) -> Result { throw .closed }
}

extension ViewContext {
  /// Unavailable, because the closure passed to `persist` cannot be asynchronous.
  @available(*, unavailable, message: "the closure of 'persist' is one transaction and cannot wait: await values first")
  public func persist<Result>(
    _ body: (ObjectSpace) async throws -> Result
  ) throws(PersistenceError) -> Result { throw .closed }

  /// Unavailable, because the closure passed to `perform` cannot be asynchronous.
  @available(*, unavailable, message: "the closure of 'perform' is one transaction and cannot wait: await values first")
  public func perform<Result>(
    _ body: (ObjectSpace) async throws -> Result
  ) throws(PersistenceError) -> Result { throw .closed }
}
