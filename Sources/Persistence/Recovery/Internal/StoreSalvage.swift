internal import Foundation

/// Copies the readable contents of a corrupt store to a new one.
struct StoreSalvage {
  private let source: URL
  private let target: URL
  private let schema: Schema

  init(_ source: URL, _ target: URL, _ schema: Schema) throws(PersistenceError) {
    guard schema.problems.isEmpty else { throw .invalidSchema(schema.problems) }
    for url in [source, target] where !url.isFileURL { throw StoreFile.failure(.notAFile, StorePlace(.file(url))) }
    self.source = source
    self.target = target
    self.schema = schema
  }

  func run() throws(PersistenceError) -> SalvageReport {
    let files = FileManager.default
    guard files.fileExists(atPath: source.path) else { throw StoreFile.failure(.missing, StorePlace(.file(source))) }
    let place = StoreBackup.at(target)
    if files.fileExists(atPath: target.path) { throw StoreFile.failure(.exists, StorePlace(.file(target))) }
    let copy = target.deletingLastPathComponent().appending(path: ".salvage-\(UUID().uuidString)")
    defer { StoreBackup.remove(copy) }
    do {
      try StoreFile.prepare(.file(place.partial), StorePlace(.file(place.partial)))
      // Salvage reads a copy, because opening the original would write to it.
      try StoreFile.copy(source, to: copy)
      let corrupt = try CorruptStore(copy)
      let (stored, hadDescription) = corrupt.schema(otherwise: schema.stored)
      let report = try fill(place.partial, from: corrupt, stored, hadDescription)
      try StoreBackup.publish(place)
      return report
    } catch {
      StoreBackup.remove(place.partial)
      throw StoreFile.openFailure(error, StorePlace(.file(target)))
    }
  }

  private func fill(
    _ url: URL, from corrupt: CorruptStore, _ stored: StoredSchema, _ hadDescription: Bool
  ) throws(PersistenceError) -> SalvageReport {
    var configuration = StoreConfiguration()
    configuration.durability = .powerLoss
    let connection = try Connection(StorePlace(.file(url)), configuration)
    try connection.execute("PRAGMA foreign_keys=OFF")
    return try connection.writing { () throws(PersistenceError) in
      var tables: [SalvageReport.Table] = []
      try StoreSetup.create(stored, schema, on: connection)
      let classes = stored.tables.filter { !$0.isJoin }
      var ids: [String: [Int64]] = [:]
      var copied: [(StoredTable, SalvagedRows)] = []
      for table in classes {
        let rows = try corrupt.copy(table, to: connection)
        copied.append((table, rows))
      }
      for table in stored.tables where table.isJoin {
        let owner = table.columns.first?.references ?? ""
        if ids[owner] == nil { ids[owner] = try self.ids(of: owner, on: connection) }
        copied.append((table, try corrupt.copyPairs(table, of: ids[owner] ?? [], to: connection)))
      }
      for (table, rows) in copied {
        // Texts that are unique only without their folded copies are saved with the copies that they have.
        for statement in table.recalculations(ignoringRefusals: true) { try connection.execute(statement) }
        let dangling = try settle(table, on: connection)
        tables.append(
          SalvageReport.Table(
            name: table.name, rows: rows.saved - (table.isJoin ? dangling : 0), gaps: rows.gaps, refused: rows.refused,
            dangling: dangling))
      }
      try connection.indexTexts(of: stored.tables.compactMap(\.searchTable))
      for (name, next) in corrupt.reservedIDs() {
        let statement = try connection.statement(StoreFormat.raiseIDs)
        try statement.bind([.text(name), .integer(next), .integer(0)])
        _ = try statement.integer()
      }
      return SalvageReport(tables: tables, hadDescription: hadDescription)
    }
  }

  private func ids(of name: String, on connection: Connection) throws(PersistenceError) -> [Int64] {
    let statement = try connection.statement("SELECT \(SQL.name(SQL.id)) FROM \(SQL.name(name))")
    var ids: [Int64] = []
    while try statement.step() { ids.append(statement.int64(0)) }
    return ids
  }

  /// Removes references to lost rows: deletes pairs, and sets foreign keys to NULL. Returns how many.
  private func settle(_ table: StoredTable, on connection: Connection) throws(PersistenceError) -> Int {
    var count = 0
    for column in table.columns {
      guard let target = column.references else { continue }
      let name = SQL.name(column.name)
      let isLost = "\(name) NOT NULL AND \(name) NOT IN (SELECT \(SQL.name(SQL.id)) FROM \(SQL.name(target)))"
      let statement = try connection.statement(
        table.isJoin
          ? "DELETE FROM \(SQL.name(table.name)) WHERE \(isLost)"
          : "UPDATE \(SQL.name(table.name)) SET \(name)=NULL WHERE \(isLost)")
      try statement.run()
      count += statement.changes
    }
    return count
  }
}

/// The rows that were copied from a table.
struct SalvagedRows {
  var saved = 0
  var refused = 0
  var gaps: [ClosedRange<Int64>] = []
}
