internal import Dispatch

/// Objects on the main actor, for what is shown.
///
/// ```swift
/// let view = container.viewContext
/// let movies = try view.fetch(Movie.self, sort: [.ascending(\.title)])
/// movies[0].title = "Fargo"
/// try view.save()
/// ```
///
/// Main-actor code holds and changes its objects directly; what is changed stays pending until ``save()`` or
/// ``rollback()``. Objects without changes take what other contexts commit. Fetching, saving and the first access to a
/// relationship wait for the store on the main thread: leave what takes long to an ``ObjectContext``.
///
/// Reading a relationship cannot throw. If the store fails meanwhile, nothing seems to be there, and the next call here
/// that can throw tells why.
@MainActor public final class ViewContext {
  let store: Store
  let held = MainSpace()
  private var failure: PersistenceError?
  private var isClosed = false

  nonisolated init(_ store: Store) { self.store = store }

  /// What helpers take that serve every kind of context. It connects to the store when it is first used.
  public var objects: ObjectSpace {
    get throws(PersistenceError) {
      if let space = held.space { return space }
      if isClosed { throw .closed }
      let space = try ObjectSpace(store, isMain: true)
      space.mergePolicy = mergePolicy
      space.undoHistory.limit = max(0, undoLimit)
      follow(store, space)
      held.space = space
      return space
    }
  }

  /// Objects take what other contexts have committed before live results tell of it: both come by way of the same
  /// queue.
  private func follow(_ store: Store, _ space: ObjectSpace) {
    let queue = store.commitQueue
    space.follow(
      CommitRelay { [weak self] commit in
        guard let self else { return }
        queue.async {
          DispatchQueue.main.async { MainActor.assumeIsolated { self.held.space?.follow(commit.changes) } }
        }
      }, first: true)
  }

  /// What a save does about attributes that somebody else has changed too.
  public var mergePolicy = MergePolicy.report {
    didSet { held.space?.mergePolicy = mergePolicy }
  }

  /// How many of this context's commits can be undone; 0, as it is at first, for none. Each is kept in memory, with all
  /// values that it has changed. ``reset()`` forgets them.
  public var undoLimit = 0 {
    didSet { held.space?.undoHistory.limit = max(0, undoLimit) }
  }

  /// Makes an object of a class, to be stored by the next ``save()``. See ``ObjectSpace/insert(_:)``; if it fails, the
  /// next ``save()`` throws.
  public func insert<Object: ManagedObject>(_ type: Object.Type) -> Object {
    do {
      return try objects.insert(type)
    } catch {
      failure = failure ?? error
      return Object()
    }
  }

  /// Deletes an object, to be removed from the store by the next ``save()``. See ``ObjectSpace/delete(_:)``; if it
  /// fails, the next ``save()`` throws.
  public func delete(_ object: ManagedObject) {
    do { try objects.delete(object) } catch { failure = failure ?? error }
  }

  /// Adds to a number, so that increments by several contexts add up. See ``ObjectSpace/increment(_:_:by:)``.
  public func increment<Object: ManagedObject, Value: AttributeValue & AdditiveArithmetic>(
    _ object: Object, _ attribute: KeyPath<Object, Value>, by amount: Value
  ) throws(PersistenceError) {
    try objects.increment(object, attribute, by: amount)
  }

  /// The object with this id: from memory, or from the store.
  ///
  /// - Throws: ``PersistenceError/notFound(type:id:)`` if there is none, or it was deleted.
  public func object<Object: ManagedObject>(_ id: ObjectID<Object>) throws(PersistenceError) -> Object {
    try objects.object(id)
  }

  /// Whether any object fits a request. None is fetched.
  public func exists<Object: ManagedObject>(_ request: FetchRequest<Object>) throws(PersistenceError) -> Bool {
    try objects.exists(request)
  }

  /// Saves what has changed, in one transaction. If it fails, the changes stay pending.
  public func save() throws(PersistenceError) {
    if let failure {
      self.failure = nil
      throw failure
    }
    if isClosed { throw .closed }
    guard let space = held.space else { return }
    try space.persist { _ in }
  }

  /// Runs the closure and saves what has changed, there and before, in one transaction; or, if anything fails, puts the
  /// objects back to what they were before the closure. It runs at once, on the main thread.
  ///
  /// - Throws: ``PersistenceError/body(_:)`` with whatever the closure threw; or why it could not be saved.
  public func persist<Result>(_ body: (ObjectSpace) throws -> Result) throws(PersistenceError) -> Result {
    try objects.persist(body)
  }

  /// Runs the closure in one read transaction: all that it fetches is of one moment.
  ///
  /// - Throws: ``PersistenceError/body(_:)`` with whatever the closure threw; or why the store could not be read.
  public func perform<Result>(_ body: (ObjectSpace) throws -> Result) throws(PersistenceError) -> Result {
    try objects.perform(body)
  }

  /// Whether anything is to be saved.
  public var hasChanges: Bool { held.space?.hasChanges ?? false }

  /// Gives up all changes that are not saved: objects are as they were, inserted ones gone and deleted ones back.
  public func rollback() {
    failure = nil
    held.space?.rollback()
  }

  /// Forgets all objects and all changes, and the commits that could be undone or done again. Objects that are still
  /// held are deleted ones from here on, for this context; the store keeps them.
  public func reset() {
    failure = nil
    held.space?.reset()
  }

  func close() {
    isClosed = true
    failure = nil
    held.space?.close()
    held.space = nil
  }
}
