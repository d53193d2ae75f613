/// Records the commits of a space in the store's history, if there is one.
final class HistoryRecorder {
  private let schema: Schema
  private var log: HistoryLog?
  /// The maximum number of bytes to keep, as of the data version. Nil if there is no history.
  private var limit: Int?
  private var dataVersion: UInt32?

  init(_ schema: Schema) { self.schema = schema }
}

extension HistoryRecorder: SaveObserver {
  /// Costs almost nothing unless another connection has committed since the last call.
  func interest(in connection: Connection) throws(PersistenceError) -> SaveInterest {
    let isKnown = log.map { $0.connection === connection } ?? false
    let version = connection.dataVersion
    if !isKnown || version == nil || version != dataVersion {
      let log = HistoryLog(connection, schema)
      limit = try log.storedLimit()
      (self.log, dataVersion) = (log, version)
    }
    return limit == nil ? [] : .rows
  }

  func willCommit(_ changes: ChangeSet?) throws(PersistenceError) -> Int64? {
    guard let log, let limit else { return nil }
    return try log.append(changes ?? ChangeSet(everythingOf: schema), keeping: limit)
  }

  func committed(_ changes: ChangeSet?) { dataVersion = log?.connection.dataVersion }
}
