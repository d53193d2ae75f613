/// An error that occurs when working with a store.
///
/// When one of these errors is thrown, nothing in the failed `persist` is stored, and its objects return to their
/// previous state. ``indeterminate(_:)`` is the only exception.
///
/// <doc:WhenSomethingGoesWrong> lists the cause of each case and what to do about it.
public enum PersistenceError: Error, Sendable {
  /// The store could not be opened. It is unchanged.
  case cannotOpen(OpenFailure)
  /// The container was closed.
  case closed
  /// The container is suspended. The call had not begun, or it was rolled back. See
  /// ``PersistentContainer/suspend(within:)``.
  case suspended
  /// The store could not be migrated to the schema. It is unchanged.
  case migrationFailed(MigrationFailure)
  /// The model classes contradict themselves or each other.
  case invalidSchema([SchemaViolation])
  /// The container's schema does not list this class.
  case notInSchema(type: String)
  /// No object has this id, or it was deleted.
  case notFound(type: String, id: Int64)
  /// The store cannot evaluate this query exactly. Nothing was fetched.
  case unsupportedQuery(UnsupportedQueryError)
  /// A query that is written in SQL was refused, or it failed. Nothing was changed.
  case queryFailed(SQLQueryFailure)
  /// An object of another context, or of no context, was used where an object of this context is required.
  case foreignObject(type: String)
  /// A context's objects were used outside its isolation, through code that the compiler does not check.
  case wrongContext
  /// `persist` or `save` was called within a closure of the same context. That closure is saved as a whole.
  case nested
  /// A bulk operation was called outside of `persist`. Its changes could not stay pending, because they are made
  /// without instantiating objects.
  case notPersisting
  /// A value in an object to be saved, or in a row of the file, is not valid for its attribute.
  case invalidValue(InvalidValue)
  /// An object's own validation rejected it.
  case invalidObject(InvalidObject)
  /// Another object of the class already has a value, or a combination of values, that must be unique.
  case notUnique(UniquenessViolation)
  /// An object cannot be deleted while other objects are related to it.
  case deleteRule(DeleteRuleViolation)
  /// Undo and redo are possible only while no changes are pending.
  case unsavedChanges
  /// The store does not record a history of its commits. See ``StoreConfiguration/history``.
  case noHistory
  /// An object was changed or deleted elsewhere since this context read it.
  case conflict(MergeConflict)
  /// The store is read-only. See ``StoreConfiguration/isReadOnly``.
  case readOnly
  /// Another context or process kept the store busy for longer than the configured timeout.
  case busy(DatabaseError)
  /// The disk is full, or the store has reached its size limit. Once there is space again, the same `persist` succeeds,
  /// and pending changes on the main actor can be saved.
  case full(DatabaseError)
  /// The file is corrupt.
  case corrupt(DatabaseError)
  /// A sum of integers exceeds 64 bits. Nothing was changed.
  case sumOverflow
  /// Any other failure of the database, most often caused by the disk.
  case database(DatabaseError)
  /// The closure threw an error that is not a ``PersistenceError``.
  case body(any Error)
  /// The calling task was cancelled before the closure began. The closure never ran.
  case cancelled
  /// The disk failed during the commit, after everything was written but possibly not persisted. Whether the commit
  /// took effect is known only when the store is opened again. The context has discarded its changes and reads the
  /// store again.
  case indeterminate(DatabaseError)

  /// What happened to the changes.
  public enum Outcome: Sendable, Hashable {
    /// None of the changes are stored.
    case rolledBack
    /// Either all of the changes are stored, or none.
    case indeterminate
  }

  /// What happened to the changes of the `persist` that threw this error.
  public var outcome: Outcome {
    if case .indeterminate = self { .indeterminate } else { .rolledBack }
  }
}
