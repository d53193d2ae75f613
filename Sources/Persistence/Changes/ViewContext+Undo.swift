extension ViewContext {
  /// Whether there is a commit to undo.
  public var canUndo: Bool { held.space?.undoHistory.done.isEmpty == false }

  /// Whether a commit was undone that can be done again. The next other commit of this context forgets it.
  public var canRedo: Bool { held.space?.undoHistory.undone.isEmpty == false }

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
  @discardableResult public func undo() throws(PersistenceError) -> Bool { try objects.undo() }

  /// Gives up undoing the last commit, whose undo has met a conflict perhaps: ``undo()`` goes on with the one before
  /// it. ``reset()`` gives up all of them.
  ///
  /// - Returns: false if there is none.
  @discardableResult public func skipUndo() -> Bool { held.space?.undoHistory.skip() ?? false }

  /// Makes the changes of the last commit that was undone again, by another commit.
  ///
  /// - Returns: false if there is none.
  /// - Throws: as ``undo()`` does.
  @discardableResult public func redo() throws(PersistenceError) -> Bool { try objects.redo() }

  /// Runs the closure and tells what saving its changes, and those that are pending, would commit; then everything is
  /// as it was before the closure.
  ///
  /// - Throws: whatever ``persist(_:)`` would throw, but for a commit that fails.
  public func preview(_ body: (ObjectSpace) throws -> Void) throws(PersistenceError) -> ChangeSet {
    try objects.preview(body)
  }
}
