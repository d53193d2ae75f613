/// An error that occurs when working with a store.
///
/// When one of these errors is thrown, none of the failed `persist` call's changes are stored, and its objects return
/// to their previous state. The only exception is ``indeterminate(_:)``.
///
/// <doc:WhenSomethingGoesWrong> explains each case and how to respond to it.
public enum PersistenceError: Error, Sendable {
  /// The store could not be opened. It is unchanged.
  case cannotOpen(OpenFailure)
  /// The container was closed.
  case closed
  /// The container is suspended. The call either had not begun or was rolled back. See
  /// ``PersistentContainer/suspend(within:)``.
  case suspended
  /// The store could not be migrated to the schema. It is unchanged.
  case migrationFailed(MigrationFailure)
  /// A model class is inconsistent, or the model classes contradict each other.
  case invalidSchema([SchemaViolation])
  /// The container's schema does not list this class.
  case notInSchema(type: String)
  /// No object has this id, or the object was deleted.
  case notFound(type: String, id: Int64)
  /// The store cannot evaluate this query exactly. Nothing was fetched.
  case unsupportedQuery(UnsupportedQueryError)
  /// An SQL query was rejected or failed. Nothing was changed.
  case queryFailed(SQLQueryFailure)
  /// An object that belongs to another context, or to no context, was used where an object of this context is required.
  case foreignObject(type: String)
  /// A context's objects were used outside its isolation, through code that the compiler does not check.
  case wrongContext
  /// `persist` or `save` was called within a closure of the same context. A closure's changes are saved as a whole.
  case nested
  /// A bulk operation was called outside `persist`. Bulk changes cannot stay pending, because they are made without
  /// instantiating objects.
  case notPersisting
  /// A value in an object being saved, or in a stored row, is not valid for its attribute.
  case invalidValue(InvalidValue)
  /// An object's own validation rejected it.
  case invalidObject(InvalidObject)
  /// Another object of the class already has a value, or a combination of values, that must be unique.
  case notUnique(UniquenessViolation)
  /// An object cannot be deleted while other objects are related to it.
  case deleteRule(DeleteRuleViolation)
  /// Undo and redo are not possible while changes are pending.
  case unsavedChanges
  /// The store does not record a history of its commits. See ``StoreConfiguration/history``.
  case noHistory
  /// An object has been changed or deleted elsewhere since this context read it.
  case conflict(MergeConflict)
  /// The store is read-only. See ``StoreConfiguration/isReadOnly``.
  case readOnly
  /// Another context or process kept the store busy for longer than the configured timeout.
  case busy(DatabaseError)
  /// The disk is full, or the store has reached its size limit. Once space is available again, the same `persist` call
  /// succeeds, and pending changes on the main actor can be saved.
  case full(DatabaseError)
  /// The file is corrupt.
  case corrupt(DatabaseError)
  /// A sum of integers does not fit in 64 bits. Nothing was changed.
  case sumOverflow
  /// Any other database failure, most often caused by the disk.
  case database(DatabaseError)
  /// The closure threw an error that is not a ``PersistenceError``.
  case body(any Error)
  /// The calling task was cancelled before the closure began. The closure never ran.
  case cancelled
  /// The disk failed during the commit. Everything had been written, but may not have been persisted. Whether the
  /// commit took effect is not known until the store is opened again. The context has discarded its changes and reads
  /// the store again.
  case indeterminate(DatabaseError)

  /// What happened to the changes.
  public enum Outcome: Sendable, Hashable {
    /// None of the changes are stored.
    case rolledBack
    /// Either all or none of the changes are stored.
    case indeterminate
  }

  /// What happened to the changes made by the `persist` call that threw this error.
  public var outcome: Outcome {
    if case .indeterminate = self { .indeterminate } else { .rolledBack }
  }
}
