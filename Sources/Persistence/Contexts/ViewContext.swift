internal import Dispatch

/// The main actor's context, for objects displayed in the user interface.
///
/// ```swift
/// let view = container.viewContext
/// let movies = try view.fetch(Movie.self, sort: [.ascending(\.title)])
/// movies[0].title = "Fargo"
/// try view.save()
/// ```
///
/// Code on the main actor uses and changes the context's objects directly. Changes stay pending until you call
/// ``save()`` or ``rollback()``. Objects without unsaved changes receive the values that other contexts commit.
/// Fetching, saving and the first access to a relationship block the main thread until the store responds, so use an
/// ``ObjectContext`` for long operations.
///
/// Reading a relationship cannot throw. If the store fails while a relationship is being read, the relationship appears
/// empty, and the next call on this context that can throw reports the error.
@MainActor public final class ViewContext {
  let store: Store
  let held = MainSpace()
  private var failure: PersistenceError?
  private var isClosed = false
  private var isObserved = false

  nonisolated init(_ store: Store) { self.store = store }

  /// This context's object space, which you can pass to functions that work with any kind of context. The space
  /// connects to the store when it is first used.
  public var objects: ObjectSpace {
    get throws(PersistenceError) {
      if let space = held.space { return space }
      if isClosed { throw .closed }
      let space = try ObjectSpace(store.access, isMain: true)
      space.mergePolicy = mergePolicy
      space.setUndoLimit(undoLimit)
      if isObserved { space.observeObjects() }
      listen(to: store, space)
      held.space = space
      return space
    }
  }

  private func listen(to store: Store, _ space: ObjectSpace) {
    let (queue, inbox) = (store.commitQueue, store.mainInbox)
    space.listen(
      by: CommitListener { [weak self] commit in
        queue.async { inbox.add { self?.held.space?.receive(commit.changes) } }
      } settled: { _ in
        queue.async { inbox.deliver() }
      }, first: true)
  }

  /// How a save handles attributes that another context has also changed. The default is ``MergePolicy/report``.
  public private(set) var mergePolicy = MergePolicy.report

  /// Sets how a save handles attributes that another context has also changed.
  public func setMergePolicy(_ policy: MergePolicy) {
    mergePolicy = policy
    held.space?.mergePolicy = policy
  }

  /// The maximum number of this context's commits that can be undone. The default is 0, which turns undo off.
  public private(set) var undoLimit = 0

  /// Sets how many of this context's commits can be undone, as ``ObjectContext/setUndoLimit(_:)`` describes.
  public func setUndoLimit(_ limit: Int) {
    undoLimit = max(0, limit)
    held.space?.setUndoLimit(undoLimit)
  }

  /// Creates an object of the given class. The next ``save()`` stores the object or, if the insertion fails, throws the
  /// error. For details, see ``ObjectSpace/insert(_:)``.
  public func insert<Object: ManagedObject>(_ type: Object.Type) -> Object {
    do {
      return try objects.insert(type)
    } catch {
      failure = failure ?? error
      return Object()
    }
  }

  /// Deletes an object. The next ``save()`` removes the object from the store or, if the deletion fails, throws the
  /// error. For details, see ``ObjectSpace/delete(_:)``.
  public func delete(_ object: ManagedObject) {
    do { try objects.delete(object) } catch { failure = failure ?? error }
  }

  /// Returns the object with the given id, from memory or from the store.
  ///
  /// - Throws: ``PersistenceError/notFound(type:id:)`` if the object does not exist or was deleted.
  public func object<Object: ManagedObject>(_ id: ObjectID<Object>) throws(PersistenceError) -> Object {
    try objects.object(id)
  }

  /// Makes the context's objects observable, as ``ManagedObject`` describes for `Observable`.
  package func observeObjects() {
    isObserved = true
    held.space?.observeObjects()
  }

  /// Saves all pending changes in one transaction. If the save fails, the changes stay pending.
  public func save() throws(PersistenceError) {
    if let failure {
      self.failure = nil
      throw failure
    }
    if isClosed { throw .closed }
    guard let space = held.space else { return }
    defer { settle() }
    try space.persist { _ in }
  }

  /// If views are shown, makes lists take on what was saved in the same turn as their objects.
  func settle() { if isObserved { takeOnCommits() } }

  /// Makes objects and lists take on the commits so far, but not in the middle of a closure of this context.
  func takeOnCommits() { if held.space?.unit.phase == .idle { store.settleMainNow() } }

  /// Runs the closure immediately, on the main thread, and saves its changes, along with those already pending, in one
  /// transaction, as ``ObjectContext/persist(isolation:_:)`` describes.
  public func persist<Result>(_ body: (ObjectSpace) throws -> Result) throws(PersistenceError) -> Result {
    defer { settle() }
    return try objects.persist(body)
  }

  /// Runs the closure in one read transaction, as ``ObjectContext/perform(_:)`` describes.
  public func perform<Result>(_ body: (ObjectSpace) throws -> Result) throws(PersistenceError) -> Result {
    try objects.perform(body)
  }

  /// Whether there are unsaved changes.
  public var hasChanges: Bool { held.space?.hasChanges ?? false }

  /// Discards all unsaved changes. Objects return to their previous state, or to what others have committed since,
  /// which is read from the store: inserted objects are removed, and deleted objects are restored.
  public func rollback() {
    failure = nil
    held.space?.rollback()
  }

  /// Removes all objects from this context and discards all unsaved changes, as ``ObjectSpace/reset()`` describes.
  public func reset() {
    failure = nil
    held.space?.reset()
  }

  func disconnect() { held.space?.disconnect() }

  func resume() { held.space?.forgetSuspension() }

  func close() {
    isClosed = true
    failure = nil
    held.space?.close()
    held.space = nil
  }
}
