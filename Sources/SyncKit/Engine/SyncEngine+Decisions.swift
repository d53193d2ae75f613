internal import Persistence

/// What the app decides.
extension SyncEngine {
  /// What merges gave up and was not dismissed, oldest first.
  ///
  /// - Throws: An error of the store.
  public func conflicts() async throws -> [SyncConflict] {
    let tables = tables
    return try await driver.read { _, rows in
      try rows.numberedReports().map { number, report in
        SyncConflict(number, report, tables)
      }
    }
  }

  /// Forgets a conflict.
  ///
  /// - Throws: An error of the store.
  public func dismiss(_ conflict: SyncConflict) async throws {
    try await driver.removeReport(conflict.id)
  }

  /// The objects that the server has rejected. Each waits until it is changed, here or there, or until the app decides.
  ///
  /// - Throws: An error of the store.
  public func rejections() async throws -> [SyncRejection] {
    let tables = tables
    return try await driver.read { _, rows in
      try rows.held("rejected").compactMap { id in
        guard let row = try rows.row(id), case .rejected(let reason, _) = row.hold else { return nil }
        return SyncRejection(object: SyncedObject(id, tables), key: row.key, reason: reason)
      }
    }
  }

  /// Sends a rejected object again as it is.
  ///
  /// - Throws: ``SyncError/notRunning``, ``SyncError/invalidClass(type:reason:)``, or an error of the store.
  public func retry(_ object: SyncedObject) async throws { try await decide(.retry(object.row(in: tables))) }

  /// Gives up the changes of a rejected or unconfirmed object: it becomes what the server has. One that the server does
  /// not have is deleted here.
  ///
  /// - Throws: ``SyncError/notRunning``, ``SyncError/invalidClass(type:reason:)``, or an error of the store:
  ///   `PersistenceError.notUnique` if another object has taken a unique value that the server has for this one.
  public func discard(_ object: SyncedObject) async throws { try await decide(.discard(object.row(in: tables))) }

  /// The objects that may have been created, of classes with ``CreationSettling/none``.
  ///
  /// - Throws: An error of the store.
  public func unconfirmed() async throws -> [SyncedObject] {
    let tables = tables
    return try await driver.read { _, rows in try rows.held("unconfirmed").map { SyncedObject($0, tables) } }
  }

  /// Says what became of an unconfirmed object: it is the given one of the server, or the server does not have it, and
  /// it is sent again.
  ///
  /// - Throws: ``SyncError/notRunning``, ``SyncError/invalidClass(type:reason:)``,
  ///   ``SyncError/invalidAnswer(type:reason:)``, or an error of the store.
  public func confirm(_ object: SyncedObject, as found: RemoteObject?) async throws {
    let row = try object.row(in: tables)
    try await decide(.confirmed(row, try found.map { try translation.row($0, as: row.entity) }))
  }

  /// Says that most objects of a list may be deleted, see ``SyncStatus/doubtful``. The list is read once more.
  ///
  /// - Throws: ``SyncError/notRunning``, or an error of the store.
  public func confirmDeletions(in scope: String) async throws { try await decide(.trusted(scope: scope)) }

  private func decide(_ event: SyncEvent) async throws { try await driver.decide(event) }
}

extension SyncConflict {
  init(_ number: Int64, _ report: ConflictReport, _ tables: SyncedTables) {
    let table = tables.tables[report.row.entity]
    func one(_ index: Int, _ value: SyncValue?) -> Fields {
      var fields = Fields(count: table.columns.count)
      fields[index] = value
      return fields
    }
    switch report.kind {
    case .attribute(let index, let base, let mine, let theirs):
      kind = .changed(property: table.columns[index].property)
      values = (one(index, base), one(index, mine), one(index, theirs))
    case .deletedThere(let mine): (kind, values) = (.deletedThere, (nil, mine, nil))
    case .deletedHere(let theirs): (kind, values) = (.deletedHere, (nil, nil, theirs))
    case .erased: (kind, values) = (.erased, (nil, nil, nil))
    }
    (id, object, key, choice) = (number, SyncedObject(report.row, tables), report.key, report.choice)
    self.table = table
  }
}
