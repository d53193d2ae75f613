extension ObjectContext {
  /// Sets how many of this context's commits can be undone. A limit of 0 turns undo off.
  ///
  /// These commits are kept in memory, along with all values that they changed. ``reset()`` discards them.
  public func setUndoLimit(_ limit: Int) {
    undoLimit = max(0, limit)
    space?.undoHistory.limit = undoLimit
  }

  /// Whether there is a commit to undo.
  public var canUndo: Bool { space?.undoHistory.done.isEmpty == false }

  /// Whether there is an undone commit to redo. The undone commit is discarded when this context makes any commit other
  /// than an undo or redo.
  public var canRedo: Bool { space?.undoHistory.undone.isEmpty == false }

  /// Undoes this context's most recent commit that has not been undone yet. The result is saved as a new commit.
  ///
  /// ``ObjectSpace/apply(_:)`` describes how values changed elsewhere in the meantime are handled. Undo does not
  /// restore positions in ordered relationships. Restored members are appended at the end.
  ///
  /// If a bulk operation changed objects that were not in memory, its commit does not contain enough information to be
  /// undone. Such a commit is skipped, and the previous commit is undone instead. If the skipped commit changed the
  /// same value as the previous commit, the undo can fail with a conflict.
  ///
  /// - Returns: false if there is no commit to undo.
  /// - Throws: ``PersistenceError/unsavedChanges`` if changes are pending; ``PersistenceError/conflict(_:)`` or a
  ///   different ``PersistenceError`` if saving failed. After an error, nothing has been undone, and the next call
  ///   tries to undo the same commit again. To skip this commit, call ``skipUndo()``.
  @discardableResult public func undo() async throws(PersistenceError) -> Bool { try connected().undo() }

  /// Discards the commit that ``undo()`` would undo next, for example because undoing it causes a conflict. The next
  /// ``undo()`` continues with the previous commit. To discard all commits that can be undone, call ``reset()``.
  ///
  /// - Returns: false if there is no such commit.
  @discardableResult public func skipUndo() -> Bool { space?.undoHistory.skip() ?? false }

  /// Redoes the most recently undone commit. The result is saved as a new commit.
  ///
  /// - Returns: false if there is no such commit.
  /// - Throws: The same errors as ``undo()``.
  @discardableResult public func redo() async throws(PersistenceError) -> Bool { try connected().redo() }

  /// Runs the closure and returns the change set that would be committed if the closure's changes, and any that are
  /// already pending, were saved. The context then returns to its state before the closure ran. Other writers wait
  /// until the preview is complete.
  ///
  /// - Throws: The same errors as ``persist(_:)``, except those of a failed commit.
  public func preview(
    _ body: @Sendable (ObjectSpace) throws -> Void
  ) async throws(PersistenceError) -> ChangeSet {
    if Task.isCancelled { throw .cancelled }
    return try connected().preview(body)
  }
}
