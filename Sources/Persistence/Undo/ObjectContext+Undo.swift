extension ObjectContext {
  /// Sets how many of this context's commits can be undone. A limit of 0 turns undo off.
  ///
  /// The commits that can be undone are kept in memory, along with all values that they changed. Calling ``reset()``
  /// removes these commits from memory.
  public func setUndoLimit(_ limit: Int) {
    undoLimit = max(0, limit)
    space?.setUndoLimit(undoLimit)
  }

  /// Whether there is a commit to undo.
  public var canUndo: Bool { space?.undoHistory?.done.isEmpty == false }

  /// Whether there is an undone commit to redo. After this context makes a commit that is neither an undo nor a redo,
  /// undone commits can no longer be redone.
  public var canRedo: Bool { space?.undoHistory?.undone.isEmpty == false }

  /// Undoes this context's most recent commit that has not been undone yet, and saves the result as a new commit.
  ///
  /// If a value has been changed outside this context since the commit was made, the value is handled as
  /// ``ObjectSpace/apply(_:)`` describes. Objects return to their positions in ordered relationships: a commit of a
  /// context with an undo limit reads the ids of all members of each relationship whose order it changes.
  ///
  /// A commit cannot be undone if a bulk operation in it changed objects that were not in memory, because the old
  /// values of those objects are not known. After such a commit, neither it nor any earlier commit can be undone.
  ///
  /// - Returns: `true` if a commit was undone, or `false` if there was no commit to undo.
  /// - Throws: ``PersistenceError/unsavedChanges`` if changes are pending; ``PersistenceError/conflict(_:)`` or a
  ///   different ``PersistenceError`` if saving failed. If the method throws an error, nothing is undone, and the next
  ///   call tries to undo the same commit again. To skip that commit, call ``skipUndo()``.
  @discardableResult public func undo(
    isolation: isolated (any Actor)? = #isolation
  ) async throws(PersistenceError) -> Bool {
    try await commit { (context) throws(PersistenceError) in try context.connected().undo() }
  }

  /// Skips the commit that ``undo(isolation:)`` would undo next, so that the commit can no longer be undone. Use this
  /// method if, for example, undoing the commit causes a conflict. The next call to ``undo(isolation:)`` undoes the
  /// commit before the skipped one. To skip all commits that can be undone, call ``reset()``.
  ///
  /// - Returns: `true` if a commit was skipped, or `false` if there was no commit to skip.
  @discardableResult public func skipUndo() -> Bool { space?.undoHistory?.skip() ?? false }

  /// Redoes the most recently undone commit, and saves the result as a new commit.
  ///
  /// - Returns: `true` if a commit was redone, or `false` if there was no commit to redo.
  /// - Throws: The same errors as ``undo(isolation:)``.
  @discardableResult public func redo(
    isolation: isolated (any Actor)? = #isolation
  ) async throws(PersistenceError) -> Bool {
    try await commit { (context) throws(PersistenceError) in try context.connected().redo() }
  }

  /// Runs the closure and returns the change set that a save would commit, without saving anything. The change set
  /// contains the closure's changes and any changes that were already pending. The context then returns to the state
  /// that it had before the closure ran. Other contexts cannot write until the preview is complete, so their saves
  /// wait.
  ///
  /// - Throws: The same errors as ``persist(isolation:_:)``, except the errors that can occur only while a transaction
  ///   is being committed.
  public func preview(
    _ body: @Sendable (ObjectSpace) throws -> Void
  ) async throws(PersistenceError) -> ChangeSet {
    if Task.isCancelled { throw .cancelled }
    return try connected().preview(body)
  }
}
