internal import Foundation
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
        + "(SELECT count(*) FROM _larder_sync_report),(SELECT count(*) FROM _larder_sync_arrived),"
        + "(SELECT count(*) FROM _larder_sync_command WHERE state IN ('waiting','sending')),"
        + "(SELECT count(*) FROM _larder_sync_command WHERE state='rejected'),"
        + "(SELECT count(*) FROM _larder_sync_command WHERE state='unconfirmed')", []
    ).first?.map { Int($0.number ?? 0) }
    guard let counts else { return status }
    (status.rejected, status.unconfirmed, status.sending) = (counts[0], counts[1], counts[2])
    (status.owed, status.conflicts, status.heldBack) = (counts[3], counts[4], counts[5])
    (status.waitingCommands, status.rejectedCommands, status.unconfirmedCommands) = (counts[6], counts[7], counts[8])
    for table in tables.tables {
      let waiting = try space.rows(
        "SELECT count(*) FROM \(table.waiting) AND NOT EXISTS(SELECT 1 FROM _larder_sync_row AS r "
          + "WHERE r.class=\(table.literal) AND r.id=b._id AND (r.push IS NOT NULL OR r.hold IS 'rejected'))", [])
      status.waiting += Int(waiting.first?[0].number ?? 0)
    }
    status.waitingSince = try tables.tables.compactMap { try date("SELECT min(_since) FROM \($0.waiting)", []) }.min()
    return status
  }

  /// When a row was changed first.
  func since(_ id: RowID) throws -> Date? {
    try date("SELECT _since FROM \(tables.tables[id.entity].baseTable) WHERE _id=?1", [.integer(id.id)])
  }

  private func date(_ sql: String, _ values: [StoredValue]) throws -> Date? {
    try space.rows(sql, values).first?[0].number.map { Date(timeIntervalSince1970: TimeInterval($0)) }
  }

  /// The rows with a hold of this name.
  func held(_ hold: String) throws -> [RowID] {
    try space.rows("SELECT class,id FROM _larder_sync_row WHERE hold=?1", [.text(hold)]).compactMap(rowID).sorted()
  }
}
