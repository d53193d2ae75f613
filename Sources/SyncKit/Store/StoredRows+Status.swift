internal import Persistence

/// What the app asks about.
extension StoredRows {
  func status() throws -> SyncStatus {
    var status = SyncStatus()
    let counts = try space.rows(
      "SELECT (SELECT count(*) FROM _larder_sync_row WHERE hold='rejected'),"
        + "(SELECT count(*) FROM _larder_sync_row WHERE hold='unconfirmed'),"
        + "(SELECT count(*) FROM _larder_sync_row INDEXED BY _larder_sync_row_push "
        + "WHERE push IS NOT NULL AND hold IS NOT 'unconfirmed'),"
        + "(SELECT count(*) FROM _larder_sync_row INDEXED BY _larder_sync_row_owed WHERE isOwed),"
        + "(SELECT count(*) FROM _larder_sync_report),"
        + "(SELECT count(*) FROM _larder_sync_command WHERE state IN ('waiting','sending')),"
        + "(SELECT count(*) FROM _larder_sync_command WHERE state='rejected'),"
        + "(SELECT count(*) FROM _larder_sync_command WHERE state='unconfirmed')", []
    ).first?.map { Int($0.number ?? 0) }
    guard let counts else { return status }
    (status.rejected, status.unconfirmed, status.sending) = (counts[0], counts[1], counts[2])
    (status.owed, status.conflicts) = (counts[3], counts[4])
    (status.waitingCommands, status.rejectedCommands, status.unconfirmedCommands) = (counts[5], counts[6], counts[7])
    status.waiting = max(0, try changed().count - counts[0] - counts[1] - counts[2])
    return status
  }

  /// The rows with a hold of this name.
  func held(_ hold: String) throws -> [RowID] {
    try space.rows("SELECT class,id FROM _larder_sync_row WHERE hold=?1", [.text(hold)]).compactMap(rowID).sorted()
  }
}
