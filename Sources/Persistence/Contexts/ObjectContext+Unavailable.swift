// What a newcomer writes, with the message that leads to what works.

extension ObjectContext {
  /// `persist` cannot wait within its closure.
  @available(*, unavailable, message: "the closure of 'persist' is one transaction and cannot wait: await values first")
  public func persist<Result>(
    _ body: (ObjectSpace) async throws -> Result
  ) async throws(PersistenceError) -> Result { throw .closed }

  /// `perform` cannot wait within its closure.
  @available(*, unavailable, message: "the closure of 'perform' is one transaction and cannot wait: await values first")
  public func perform<Result>(
    _ body: (ObjectSpace) async throws -> Result
  ) async throws(PersistenceError) -> Result { throw .closed }
}

extension ViewContext {
  /// `persist` cannot wait within its closure.
  @available(*, unavailable, message: "the closure of 'persist' is one transaction and cannot wait: await values first")
  public func persist<Result>(
    _ body: (ObjectSpace) async throws -> Result
  ) throws(PersistenceError) -> Result { throw .closed }

  /// `perform` cannot wait within its closure.
  @available(*, unavailable, message: "the closure of 'perform' is one transaction and cannot wait: await values first")
  public func perform<Result>(
    _ body: (ObjectSpace) async throws -> Result
  ) throws(PersistenceError) -> Result { throw .closed }
}
