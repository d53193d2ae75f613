internal import Persistence

/// What concerns several rows, and what concerns none.
extension StoredRows {
  func changed(after id: RowID?) throws -> [RowID] {
    for (entity, table) in tables.tables.enumerated().dropFirst(id?.entity ?? 0) {
      let first = id?.entity == entity ? id?.id ?? 0 : 0
      let found = try ids(
        "SELECT _id FROM \(table.waiting) AND _id>?1 ORDER BY _id LIMIT 256", [.integer(first)], in: entity)
      if !found.isEmpty { return found }
    }
    return []
  }

  func inFlight() throws -> [RowID] { try flights().map(\.row).sorted() }

  private func flights() throws -> [(row: RowID, isCreation: Bool)] {
    if let flight { return flight }
    // Without the index, SQLite may walk through all rows of a class.
    let found = try space.rows(
      "SELECT class,id,kind FROM _larder_sync_row INDEXED BY _larder_sync_row_push "
        + "WHERE push IS NOT NULL AND hold IS NOT 'unconfirmed'", []
    ).compactMap { row in rowID(row).map { ($0, row[2] == .text("creation")) } }
    flight = found
    return found
  }

  func rowID(_ row: [StoredValue]) -> RowID? {
    guard let name = row[0].string, let entity = tables.tables.firstIndex(where: { $0.name == name }),
      let id = row[1].number
    else { return nil }
    return RowID(entity, id)
  }

  /// All rows, also those that were deleted here and still have to be sent.
  func everyRow() throws -> [RowID] {
    let here = try tables.tables.enumerated().flatMap { entity, table in
      try ids("SELECT _id FROM \(table.table)", [], in: entity)
    }
    let deleted = try tables.tables.enumerated().flatMap { entity, table in
      try ids("SELECT _id FROM \(table.baseTable)", [], in: entity)
    }
    return try Set(here + deleted).union(inFlight()).sorted()
  }

  func creations(in entity: Int) throws -> [RowID] {
    try flights().compactMap { $0.isCreation && $0.row.entity == entity ? $0.row : nil }.sorted()
  }

  func owed() throws -> [RowID] {
    try space.rows("SELECT class,id FROM _larder_sync_row INDEXED BY _larder_sync_row_owed WHERE isOwed", [])
      .compactMap(rowID).sorted()
  }

  func holder(of value: SyncValue, _ attribute: Int, in entity: Int) throws -> RowID? {
    let table = tables.tables[entity]
    return try ids(
      "SELECT _id FROM \(table.table) WHERE \(table.columns[attribute].quoted)=?1 LIMIT 1", [value.stored], in: entity
    ).first
  }

  func rows(in coverage: Coverage) throws -> [(id: RowID, key: SyncKey)] {
    try flush()
    let table = tables.tables[coverage.entity]
    let base = "CASE b._kind WHEN 0 THEN b.%@ ELSE o.%@ END"
    func effective(_ column: String) -> String { base.replacing("%@", with: column) }
    var values: [StoredValue] = []
    var condition = "key IS NOT NULL"
    for (sign, bound) in [(">=", coverage.first), ("<=", coverage.last)] {
      guard let bound else { continue }
      values.append(bound.value)
      condition += " AND key\(sign)?\(values.count)"
    }
    if let owner = coverage.owner, let target = table.columns[owner.attribute].target {
      // The base of a changed row counts, and it may differ from what the row's relationship waits for.
      let record = "(SELECT key FROM _larder_sync_reference WHERE class=\(table.literal) AND id=_id AND attribute="
      values += [
        try find(owner.key, in: target).map { .integer($0.id) } ?? .null,
        .text(table.columns[owner.attribute].name), owner.key.value,
      ]
      let (id, name, key) = ("?\(values.count - 2)", "?\(values.count - 1)", "?\(values.count)")
      condition +=
        " AND (owner=\(id) OR owner IS NULL AND CASE WHEN isBase AND EXISTS\(record)\(name) AND side=1) "
        + "THEN \(record)\(name) AND side=1) ELSE \(record)\(name) AND side=0) END=\(key))"
    }
    let owner = coverage.owner.map { table.columns[$0.attribute].quoted }
    return try space.rows(
      "SELECT _id,key FROM (SELECT o._id AS _id,\(effective(table.key.quoted)) AS key,"
        + "\(owner.map(effective) ?? "NULL") AS owner,b._kind IS 0 AS isBase FROM \(table.table) AS o "
        + "LEFT JOIN \(table.baseTable) AS b ON b._id=o._id "
        + "UNION ALL SELECT b._id,b.\(table.key.quoted),\(owner.map { "b.\($0)" } ?? "NULL"),1 "
        + "FROM \(table.baseTable) AS b WHERE b._kind<>1 AND b._id NOT IN (SELECT _id FROM \(table.table))) "
        + "WHERE \(condition) ORDER BY _id", values
    ).compactMap { row in row[0].number.map { (RowID(coverage.entity, $0), SyncKey(row[1])) } }
  }

  func referrers(of id: RowID) throws -> [(row: RowID, attribute: Int)] {
    var found: [(row: RowID, attribute: Int)] = []
    for (entity, table) in tables.tables.enumerated() {
      for (index, column) in table.columns.enumerated() where column.target == id.entity {
        let now = column.list.map { "SELECT \($0.owner) FROM \($0.table) WHERE \($0.member)=?1" }
        let base = column.list.map { "instr(','||\($0.quoted)||',',','||?1||',')" }
        let ids = try ids(
          (now ?? "SELECT _id FROM \(table.table) WHERE \(column.quoted)=?1")
            + " UNION SELECT _id FROM \(table.baseTable) WHERE _kind=0 AND \(base ?? "\(column.quoted)=?1")",
          [.integer(id.id)], in: entity)
        found += ids.map { ($0, index) }
      }
    }
    return try found + sent(.object(id.id), id.entity, besides: found)
  }

  func waiting(for key: SyncKey, in entity: Int) throws -> [(row: RowID, attribute: Int)] {
    if hasAbsent == nil {
      hasAbsent = try !space.rows("SELECT 1 FROM _larder_sync_reference LIMIT 1", []).isEmpty
    }
    let rows =
      hasAbsent == false
      ? []
      : try space.rows(
        "SELECT DISTINCT class,id,attribute FROM _larder_sync_reference WHERE target=?1 AND key=?2",
        [className(entity), key.value])
    let found: [(row: RowID, attribute: Int)] = rows.compactMap { row in
      guard let id = rowID(row), let attribute = row[2].string,
        let index = tables.tables[id.entity].columns.firstIndex(where: { $0.name == attribute })
      else { return nil }
      return (id, index)
    }
    return try found + sent(.key(key), entity, besides: found)
  }

  /// The rows that were sent with a reference.
  private func sent(
    _ value: SyncValue, _ target: Int, besides found: [(row: RowID, attribute: Int)]
  ) throws -> [(row: RowID, attribute: Int)] {
    try inFlight().flatMap { id -> [(row: RowID, attribute: Int)] in
      guard let fields = try stored(id)?.sent?.fields else { return [] }
      return tables.tables[id.entity].columns.enumerated().compactMap { index, column in
        let isKnown = found.contains { $0.row == id && $0.attribute == index }
        return column.target == target && fields[index]?.references.contains(value) == true && !isKnown
          ? (id, index) : nil
      }
    }
  }

  func ties(of id: RowID) throws -> [Int64] {
    try space.rows(
      "SELECT \"commit\" FROM _larder_tie INDEXED BY _larder_tie_row WHERE class=?1 AND id=?2 ORDER BY 1",
      [className(id.entity), .integer(id.id)]
    ).compactMap { $0[0].number }
  }

  func tied(by commit: Int64) throws -> [RowID] {
    try space.rows("SELECT class,id FROM _larder_tie WHERE \"commit\"=?1", [.integer(commit)]).compactMap(rowID)
      .sorted()
  }

  func lastCommit() throws -> Int64 {
    try space.rows("SELECT max(\"commit\") FROM _larder_tie", []).first?[0].number ?? 0
  }

  func untie(_ id: RowID, upTo commit: Int64) throws {
    let place = [className(id.entity), .integer(id.id), .integer(commit)]
    let condition = "class=?1 AND id=?2 AND \"commit\"<=?3"
    guard try !space.rows("SELECT 1 FROM _larder_tie WHERE \(condition) LIMIT 1", place).isEmpty else { return }
    // The last number must not be assigned again: what was sent remembers it.
    try space.run("INSERT OR IGNORE INTO _larder_tie SELECT max(\"commit\"),'',0 FROM _larder_tie")
    try space.run("DELETE FROM _larder_tie WHERE \(condition)", place)
    try space.run(
      "DELETE FROM _larder_tie WHERE class='' AND \"commit\"<(SELECT max(\"commit\") FROM _larder_tie)")
  }

  func position(of scope: String) throws -> String? { try value("position \(scope)")?.string }

  func setPosition(_ position: String?, of scope: String) throws {
    try setValue("position \(scope)", position.map { .text($0) } ?? .null)
  }

  func nextPush() -> Int64 { identifiers.push() }

  private func value(_ name: String) throws -> StoredValue? {
    try space.rows("SELECT value FROM _larder_sync WHERE name=?1", [.text(name)]).first?[0]
  }

  private func setValue(_ name: String, _ value: StoredValue) throws {
    try space.run("INSERT OR REPLACE INTO _larder_sync(name,value) VALUES(?1,?2)", [.text(name), value])
  }

  func arrived(in entity: Int) throws -> [RemoteRow] {
    try space.rows(
      "SELECT key,version,fields FROM _larder_sync_arrived WHERE class=?1 ORDER BY key", [className(entity)]
    ).map {
      let type = tables.model.classes[entity]
      return RemoteRow(
        RemoteName(entity, SyncKey($0[0])), version: SyncRow.Version($0[1]),
        try StoredFields.fields($0[2], of: type) ?? Fields(count: type.attributes.count))
    }
  }

  func setArrived(_ rows: [RemoteRow], in entity: Int) throws {
    try space.run("DELETE FROM _larder_sync_arrived WHERE class=?1", [className(entity)])
    for row in rows {
      try space.run(
        "INSERT INTO _larder_sync_arrived(class,key,version,fields) VALUES(?1,?2,?3,?4)",
        [
          className(entity), row.name.key.value, row.version?.stored ?? .null,
          try StoredFields.text(row.fields, of: tables.model.classes[entity]),
        ])
    }
  }
}
