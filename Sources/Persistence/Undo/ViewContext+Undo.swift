extension ViewContext {
  /// Whether there is a commit to undo.
  public var canUndo: Bool { held.space?.undoHistory?.done.isEmpty == false }

  /// Whether there is an undone commit to redo, as ``ObjectContext/canRedo`` describes.
  public var canRedo: Bool { held.space?.undoHistory?.undone.isEmpty == false }

  /// Undoes this context's most recent commit that has not been undone yet, as ``ObjectContext/undo(isolation:)``
  /// describes.
  @discardableResult public func undo() throws(PersistenceError) -> Bool {
    defer { settle() }
    return try objects.undo()
  }

  /// Skips the commit that ``undo()`` would undo next, as ``ObjectContext/skipUndo()`` describes.
  @discardableResult public func skipUndo() -> Bool { held.space?.undoHistory?.skip() ?? false }

  /// Redoes the most recently undone commit, as ``ObjectContext/redo(isolation:)`` describes.
  @discardableResult public func redo() throws(PersistenceError) -> Bool {
    defer { settle() }
    return try objects.redo()
  }

  /// Runs the closure and returns the change set that a save would commit, as ``ObjectContext/preview(_:)`` describes.
  public func preview(_ body: (ObjectSpace) throws -> Void) throws(PersistenceError) -> ChangeSet {
    try objects.preview(body)
  }
}
