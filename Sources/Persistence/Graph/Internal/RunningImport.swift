/// An import of rows of a class that has begun, as seen by what inserts and deletes objects of the class while the rows
/// are produced.
protocol RunningImport: AnyObject {
  /// Returns an id above all ids in the store and above those that the statement being bound may use.
  func freeID() throws(PersistenceError) -> Int64

  /// Continues with ids of at least `id`, because lower ones are in use.
  func continueIDs(from id: Int64)

  /// Records that other code has inserted rows, or deleted them if `count` is negative.
  func recordExternalWrites(_ count: Int)
}
