extension ObjectContext {
  /// Says how many of this context's commits can be undone; 0, as it is at first, for none. Each is kept in memory,
  /// with all values that it has changed. ``reset()`` forgets them.
  public func setUndoLimit(_ limit: Int) {
    undoLimit = max(0, limit)
    space?.undoHistory.limit = undoLimit
  }

  /// Whether there is a commit to undo.
  public var canUndo: Bool { space?.undoHistory.done.isEmpty == false }

  /// Whether a commit was undone that can be done again. The next other commit of this context forgets it.
  public var canRedo: Bool { space?.undoHistory.undone.isEmpty == false }

  /// Undoes this context's last commit that is not undone, by another commit. ``ObjectSpace/apply(_:)`` says what
  /// becomes of what others have changed since. The order of ordered relationships is not undone: members that come
  /// back are the last ones.
  ///
  /// A commit of bulk work that has changed objects which are not in memory does not tell enough to be undone: it is
  /// passed over, and the one before it is undone, as far as both have not changed the same.
  ///
  /// - Returns: false if there is none.
  /// - Throws: ``PersistenceError/unsavedChanges`` while anything is pending; ``PersistenceError/conflict(_:)``, or why
  ///   it could not be saved. Then nothing is undone, and the next call tries the same again; ``skipUndo()`` gives it
  ///   up.
  @discardableResult public func undo() async throws(PersistenceError) -> Bool { try connected().undo() }

  /// Gives up undoing the last commit, whose undo has met a conflict perhaps: ``undo()`` goes on with the one before
  /// it. ``reset()`` gives up all of them.
  ///
  /// - Returns: false if there is none.
  @discardableResult public func skipUndo() -> Bool { space?.undoHistory.skip() ?? false }

  /// Makes the changes of the last commit that was undone again, by another commit.
  ///
  /// - Returns: false if there is none.
  /// - Throws: as ``undo()`` does.
  @discardableResult public func redo() async throws(PersistenceError) -> Bool { try connected().redo() }

  /// Runs the closure and tells what saving its changes, and those that are pending, would commit; then everything is
  /// as it was before the closure. Other writers wait meanwhile.
  ///
  /// - Throws: whatever ``persist(_:)`` would throw, but for a commit that fails.
  public func preview(
    _ body: @Sendable (ObjectSpace) throws -> Void
  ) async throws(PersistenceError) -> ChangeSet {
    if Task.isCancelled { throw .cancelled }
    return try connected().preview(body)
  }
}
