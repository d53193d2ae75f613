/// An error that can occur when you work with a store.
///
/// If a `persist` call throws one of these errors, none of its changes are stored, and the objects return to the state
/// they were in before the call. The only exception is ``indeterminate(_:)``.
///
/// <doc:WhenSomethingGoesWrong> explains each case and how to respond to it.
public enum PersistenceError: Error, Sendable {
  /// The store could not be opened. The store is unchanged.
  case cannotOpen(OpenFailure)
  /// The container was closed.
  case closed
  /// The container is suspended. The call either had not begun or was rolled back. See
  /// ``PersistentContainer/suspend(within:)``.
  case suspended
  /// The store could not be migrated to the schema. The store is unchanged.
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
  /// Objects were used outside the isolation of their context, by code that the compiler does not check.
  case wrongContext
  /// `persist` or `save` was called inside a closure that was running in the same context. All changes made in a
  /// closure are saved together when the closure ends, so none of them can be saved while it is running.
  case nested
  /// A bulk operation was called outside `persist`. Bulk changes cannot stay pending, because they are written directly
  /// to the store, without instantiating objects that could hold them.
  case notPersisting
  /// A value in an object being saved, or in a stored row, is not valid for its attribute.
  case invalidValue(InvalidValue)
  /// An object was rejected by its own ``ManagedObject/validate()`` method.
  case invalidObject(InvalidObject)
  /// Another object of the class already has a value, or a combination of values, that must be unique.
  case notUnique(UniquenessViolation)
  /// A delete rule forbids deleting an object while other objects are related to it.
  case deleteRule(DeleteRuleViolation)
  /// An edit was not made because it depends on related objects that could not be read.
  case unreadRelationship(UnreadRelationship)
  /// Undo and redo are not possible while changes are pending.
  case unsavedChanges
  /// The store does not record a history of its commits. See ``StoreConfiguration/history``.
  case noHistory
  /// An object has been changed or deleted outside this context since the context read it.
  case conflict(MergeConflict)
  /// The store is read-only. See ``StoreConfiguration/isReadOnly``.
  case readOnly
  /// Another context or process kept the store busy for longer than the configured timeout.
  case busy(DatabaseError)
  /// The disk is full, or the store has reached its size limit. Once space is available again, you can repeat the
  /// failed `persist` call, and the view context can save its pending changes.
  case full(DatabaseError)
  /// The file is corrupt.
  case corrupt(DatabaseError)
  /// A sum of integers does not fit in 64 bits, or a sum of decimals does not fit exactly in the 38 digits of a
  /// `Decimal`. Nothing was changed.
  case sumOverflow
  /// Any other database failure, most often caused by the disk.
  case database(DatabaseError)
  /// The closure threw an error that is not a ``PersistenceError``.
  case body(any Error)
  /// The calling task was cancelled before the closure began, so the closure never ran.
  case cancelled
  /// The disk failed during the commit, or the file was moved, deleted or replaced. All changes had been written, but
  /// may not have been stored permanently. Whether the commit took effect is not known until the store is opened again.
  /// The context has discarded its changes and reads its objects from the store again.
  case indeterminate(DatabaseError)

  /// Whether the changes made by a failed `persist` call are stored.
  public enum Outcome: Sendable, Hashable {
    /// None of the changes are stored.
    case rolledBack
    /// Either all of the changes are stored or none of them, but it is not known which.
    case indeterminate
  }

  /// Whether the changes made by the `persist` call that threw this error are stored.
  public var outcome: Outcome {
    if case .indeterminate = self { .indeterminate } else { .rolledBack }
  }
}
