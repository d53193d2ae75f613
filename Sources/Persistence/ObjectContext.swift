internal import Dispatch

/// A context with its own serial queue, for work off the main actor.
///
/// ```swift
/// let id = try await context.persist { objects in
///   let movie = objects.insert(Movie.self)
///   movie.title = "Fargo"
///   return movie.id
/// }
/// ```
///
/// Closures run on the context's queue, one at a time. A closure is synchronous, so the context does no other work
/// until the closure returns. The result of a closure must be `Sendable`. Objects are not `Sendable`, so code that uses
/// an object outside the closure does not compile. Calling a context never blocks the caller's thread.
///
/// Calls to one context run in the order in which they were made. Different contexts run concurrently, but only one
/// context at a time can write to the store. After another context of the container commits, this context updates those
/// of its own objects that have no unsaved changes, but never while one of its closures is running. A ``MergePolicy``
/// determines what happens to objects with unsaved changes.
public actor ObjectContext {
  nonisolated let executor: QueueExecutor
  let store: Store
  var space: ObjectSpace?
  private var isClosed: Bool

  /// How a save handles attributes that another context has also changed. The default is ``MergePolicy/report``.
  public private(set) var mergePolicy: MergePolicy

  /// The maximum number of this context's commits that can be undone. The default is 0.
  public internal(set) var undoLimit = 0

  /// The executor that runs the actor's code on the context's queue.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(_ store: Store, merging policy: MergePolicy, isClosed: Bool) {
    self.store = store
    mergePolicy = policy
    self.isClosed = isClosed
    executor = QueueExecutor(label: "Persistence.ObjectContext")
  }

  /// Runs the closure and saves the context's unsaved changes in one transaction.
  ///
  /// When a call from the main actor returns, the objects of the ``ViewContext`` have the new values, except those with
  /// unsaved changes, and live results have been updated. Calls from elsewhere do not wait for this.
  ///
  /// If the closure or the save fails, the objects return to the state they were in before the closure ran: inserted
  /// objects are removed, and deleted objects are restored. If the calling task is cancelled before the closure begins,
  /// the closure never runs. Once the closure has begun, cancellation does not stop it.
  ///
  /// - Throws: ``PersistenceError/body(_:)`` with the error that the closure threw, or a different ``PersistenceError``
  ///   if saving failed. A ``PersistenceError`` that the closure threw is rethrown unchanged. If this method throws any
  ///   error other than ``PersistenceError/indeterminate(_:)``, nothing was saved.
  public func persist<Result: Sendable>(
    isolation: isolated (any Actor)? = #isolation, _ body: @Sendable (ObjectSpace) throws -> Result
  ) async throws(PersistenceError) -> Result {
    try await commit { (context) throws(PersistenceError) in
      if Task.isCancelled { throw .cancelled }
      return try context.connected().persist(body)
    }
  }

  func commit<Result: Sendable>(
    isolation: isolated (any Actor)? = #isolation,
    _ work: @Sendable (isolated ObjectContext) throws(PersistenceError) -> Result
  ) async throws(PersistenceError) -> Result {
    let result = try await work(self)
    await store.settleMain()
    return result
  }

  /// Runs the closure in one read transaction, so that everything it fetches comes from the same snapshot.
  ///
  /// Changes that the closure makes are not saved, but stay pending until the next `persist` or ``rollback()``. If the
  /// calling task is cancelled before the closure begins, the closure never runs. Once the closure has begun,
  /// cancellation does not stop it.
  ///
  /// - Throws: ``PersistenceError/body(_:)`` with the error that the closure threw, or a different ``PersistenceError``
  ///   if the store could not be read. A ``PersistenceError`` that the closure threw is rethrown unchanged.
  public func perform<Result: Sendable>(
    _ body: @Sendable (ObjectSpace) throws -> Result
  ) async throws(PersistenceError) -> Result {
    if Task.isCancelled { throw .cancelled }
    return try connected().perform(body)
  }

  /// Sets how a save handles attributes that another context has also changed.
  public func setMergePolicy(_ policy: MergePolicy) {
    mergePolicy = policy
    space?.mergePolicy = policy
  }

  func connected() throws(PersistenceError) -> ObjectSpace {
    if let space { return space }
    if isClosed { throw .closed }
    let space = try ObjectSpace(store.access)
    space.mergePolicy = mergePolicy
    space.setUndoLimit(undoLimit)
    let queue = executor.queue
    space.listen(
      by: CommitListener { [weak self] commit in
        guard let self else { return }
        queue.async {
          self.assumeIsolated { context in context.space?.whileIsolated { $0.receive(commit.changes) } }
        }
      })
    self.space = space
    return space
  }

  func disconnect() { space?.whileIsolated { $0.disconnect() } }

  func close() {
    isClosed = true
    space?.whileIsolated { $0.close() }
    space = nil
  }
}
