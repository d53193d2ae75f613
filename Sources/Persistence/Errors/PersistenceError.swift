/// Everything that can go wrong in a store. Whatever is thrown, nothing of the failed `persist` is stored and its
/// objects are as they were before, with one exception: ``indeterminate(_:)``.
public enum PersistenceError: Error, Sendable {
  /// The store could not be opened; it was left as it was.
  case cannotOpen(OpenFailure)
  /// The container was closed.
  case closed
  /// The store could not be made to fit the schema; it was left as it was.
  case migrationFailed(MigrationFailure)
  /// The model classes contradict themselves or each other.
  case invalidSchema([SchemaProblem])
  /// A class that the container's schema does not list.
  case notInSchema(type: String)
  /// No row has this id, or no longer.
  case notFound(type: String, id: Int64)
  /// A query that the store cannot answer exactly. Nothing was fetched.
  case refused(QueryRefusal)
  /// An object of another context, or one that was made without a context, where one of this context is needed.
  case foreignObject(type: String)
  /// A context's objects were used outside its own isolation, by way of code that the compiler does not check.
  case wrongContext
  /// `persist` or `save` within a closure of the same context, which saves as a whole.
  case nested
  /// Bulk work outside of `persist`: there is no object that could keep it pending.
  case notPersisting
  /// A value that an attribute cannot hold, in an object to be saved or in a row of the file.
  case invalidValue(InvalidValue)
  /// An object whose own validation has refused it.
  case invalidObject(InvalidObject)
  /// A value, or a combination of values, that another object of the class has already.
  case notUnique(UniquenessViolation)
  /// An object cannot be deleted while others are related to it.
  case deletionDenied(DeletionDenial)
  /// Commits are undone, and done again, only while nothing is pending.
  case unsavedChanges
  /// The store keeps no history of its commits. See ``StoreConfiguration/history``.
  case noHistory
  /// An object was changed or deleted by somebody else since this context read it.
  case conflict(Conflict)
  /// The store is only read. See ``StoreConfiguration/isReadOnly``.
  case readOnly
  /// Another context or process kept the store busy for longer than the configured time.
  case busy(DatabaseError)
  /// The disk, or the limit set for the store's size, is full. Once there is room again the same `persist` succeeds,
  /// and what is pending on the main actor can be saved.
  case full(DatabaseError)
  /// The file is damaged.
  case corrupt(DatabaseError)
  /// A sum of whole numbers exceeds 64 bits. Nothing was changed.
  case sumOverflow
  /// Any other failure of the database, most often of the disk below it.
  case database(DatabaseError)
  /// The closure threw.
  case body(any Error)
  /// The calling task was cancelled before the closure began; it never ran.
  case cancelled
  /// The disk failed during the commit, when all of it was written but perhaps not kept: whether it took effect will be
  /// known only when the store is next opened. The context has forgotten its changes and reads the store afresh.
  case indeterminate(DatabaseError)

  /// What became of the changes.
  public enum Outcome: Sendable, Hashable {
    /// None of them is stored.
    case rolledBack
    /// They may be stored, all of them, or not at all.
    case indeterminate
  }

  /// What became of the changes of the `persist` that threw this.
  public var outcome: Outcome {
    if case .indeterminate = self { .indeterminate } else { .rolledBack }
  }
}
