extension ViewContext {
  /// Whether there is a commit to undo.
  public var canUndo: Bool { held.space?.undoHistory.done.isEmpty == false }

  /// Whether there is an undone commit to redo. The undone commit is discarded when this context makes any commit other
  /// than an undo or redo.
  public var canRedo: Bool { held.space?.undoHistory.undone.isEmpty == false }

  /// Undoes this context's most recent commit that has not been undone yet. The result is saved as a new commit.
  ///
  /// ``ObjectSpace/apply(_:)`` describes how values changed elsewhere in the meantime are handled. Undo does not
  /// restore positions in ordered relationships. Restored members are appended at the end.
  ///
  /// If a bulk operation changed objects that were not in memory, its commit does not contain enough information to be
  /// undone. Such a commit is skipped, and the previous commit is undone instead. If both commits changed the same
  /// value, this can cause a conflict.
  ///
  /// - Returns: false if there is no commit to undo.
  /// - Throws: ``PersistenceError/unsavedChanges`` if changes are pending; ``PersistenceError/conflict(_:)`` or a
  ///   different ``PersistenceError`` if saving failed. In these cases, nothing is undone, and the next call tries to
  ///   undo the same commit again. To skip it, call ``skipUndo()``.
  @discardableResult public func undo() throws(PersistenceError) -> Bool { try objects.undo() }

  /// Discards the commit that ``undo()`` would undo next, for example because undoing it causes a conflict. The next
  /// ``undo()`` continues with the previous commit. To discard all commits that can be undone, call ``reset()``.
  ///
  /// - Returns: false if there is no such commit.
  @discardableResult public func skipUndo() -> Bool { held.space?.undoHistory.skip() ?? false }

  /// Redoes the most recently undone commit. The result is saved as a new commit.
  ///
  /// - Returns: false if there is no such commit.
  /// - Throws: The same errors as ``undo()``.
  @discardableResult public func redo() throws(PersistenceError) -> Bool { try objects.redo() }

  /// Runs the closure and returns the change set that would be committed if the closure's changes, and any that are
  /// already pending, were saved. The context then returns to its state before the closure ran.
  ///
  /// - Throws: The same errors as ``persist(_:)``, except those of a failed commit.
  public func preview(_ body: (ObjectSpace) throws -> Void) throws(PersistenceError) -> ChangeSet {
    try objects.preview(body)
  }
}
