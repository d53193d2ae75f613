internal import Dispatch

/// Objects on a queue of their own, for work that need not hold up the main actor.
///
/// ```swift
/// let id = try await context.persist { objects in
///   let movie = objects.insert(Movie.self)
///   movie.title = "Fargo"
///   return movie.id
/// }
/// ```
///
/// A closure runs on the context's queue, one at a time and without interruption: it is synchronous. What it returns
/// must be `Sendable`; objects are not, and using one outside of the closure does not compile. Nothing here blocks the
/// caller's thread. Calls of one context run in the order in which they came; those of different contexts run side by
/// side, and writers wait for each other. When another context of the container has committed, objects here take the
/// new values, between two closures, unless they have changes of their own; what becomes of these a ``MergePolicy``
/// tells.
public actor ObjectContext {
  nonisolated let executor: QueueExecutor
  private let store: Store
  private let mergePolicy: MergePolicy
  var space: ObjectSpace?
  var undoLimit = 0
  private var isClosed: Bool

  /// The context's queue.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(_ store: Store, merging policy: MergePolicy, isClosed: Bool) {
    self.store = store
    mergePolicy = policy
    self.isClosed = isClosed
    executor = QueueExecutor(label: "Persistence.ObjectContext")
  }

  /// Runs the closure and saves what it has changed, in one transaction; or, if anything fails, puts the objects back
  /// to what they were before the closure, inserted ones gone and deleted ones back.
  ///
  /// If the calling task is cancelled before the closure begins, it never runs. After that, it completes.
  ///
  /// - Throws: ``PersistenceError/body(_:)`` with whatever the closure threw; or why it could not be saved. All but
  ///   ``PersistenceError/indeterminate(_:)`` mean that nothing was stored.
  public func persist<Result: Sendable>(
    _ body: @Sendable (ObjectSpace) throws -> Result
  ) async throws(PersistenceError) -> Result {
    if Task.isCancelled { throw .cancelled }
    return try connected().persist(body)
  }

  /// Runs the closure in one read transaction: all that it fetches is of one moment. What it changes is not saved, but
  /// stays pending until the next `persist` or ``rollback()``.
  ///
  /// If the calling task is cancelled before the closure begins, it never runs. After that, it completes.
  ///
  /// - Throws: ``PersistenceError/body(_:)`` with whatever the closure threw; or why the store could not be read.
  public func perform<Result: Sendable>(
    _ body: @Sendable (ObjectSpace) throws -> Result
  ) async throws(PersistenceError) -> Result {
    if Task.isCancelled { throw .cancelled }
    return try connected().perform(body)
  }

  func connected() throws(PersistenceError) -> ObjectSpace {
    if let space { return space }
    if isClosed { throw .closed }
    let space = try ObjectSpace(store)
    space.mergePolicy = mergePolicy
    space.undoHistory.limit = undoLimit
    let queue = executor.queue
    space.follow(
      CommitRelay { [weak self] commit in
        guard let self else { return }
        queue.async {
          self.assumeIsolated { context in context.space?.whileIsolated { $0.follow(commit.changes) } }
        }
      })
    self.space = space
    return space
  }

  func close() {
    isClosed = true
    space?.whileIsolated { $0.close() }
    space = nil
  }
}
