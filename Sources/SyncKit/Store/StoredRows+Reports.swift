internal import Persistence

/// What merges gave up, until the app takes it.
extension StoredRows {
  func report(_ report: ConflictReport) throws {
    let entity = tables.model.classes[report.row.entity]
    var values = [className(report.row.entity), .integer(report.row.id), report.key?.value ?? .null]
    func fields(_ attribute: Int, _ value: SyncValue) -> Fields {
      var fields = Fields(count: entity.attributes.count)
      fields[attribute] = value
      return fields
    }
    switch report.kind {
    case .attribute(let index, let base, let mine, let theirs):
      values += [
        .text("attribute"), .text(entity.attributes[index].name),
        try StoredFields.text(fields(index, mine), of: entity),
        try StoredFields.text(fields(index, theirs), of: entity),
        try StoredFields.text(base.map { fields(index, $0) }, of: entity),
      ]
    case .deletedThere(let mine):
      values += [.text("deletedThere"), .null, try StoredFields.text(mine, of: entity), .null, .null]
    case .deletedHere(let theirs):
      values += [.text("deletedHere"), .null, .null, try StoredFields.text(theirs, of: entity), .null]
    case .erased: values += [.text("erased"), .null, .null, .null, .null]
    }
    try space.run(
      "INSERT INTO _larder_sync_report(class,id,key,kind,attribute,mine,theirs,base,choice) "
        + "VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9)",
      values + [.text(report.choice == .mine ? "mine" : "theirs")])
  }

  func eraseReports(of id: RowID) throws {
    try space.run(
      "DELETE FROM _larder_sync_report WHERE class=?1 AND id=?2", [className(id.entity), .integer(id.id)])
  }

  /// The reports, oldest first. Those about attributes and classes that are no longer synchronized are left out.
  func reports() throws -> [ConflictReport] { try numberedReports().map(\.report) }

  static func removeReport(_ number: Int64, in space: ObjectSpace) throws {
    try space.run("DELETE FROM _larder_sync_report WHERE number=?1", [.integer(number)])
  }

  func numberedReports() throws -> [(number: Int64, report: ConflictReport)] {
    let rows = try space.rows(
      "SELECT class,id,key,kind,attribute,mine,theirs,base,choice,number FROM _larder_sync_report ORDER BY number", [])
    return try rows.compactMap { row in
      guard let number = tables.tables.firstIndex(where: { $0.name == row[0].string }), let id = row[1].number else {
        return nil
      }
      let entity = tables.model.classes[number]
      let mine = try StoredFields.fields(row[5], of: entity)
      let theirs = try StoredFields.fields(row[6], of: entity)
      let kind: ConflictReport.Kind
      switch row[3].string {
      case "attribute":
        guard let index = entity.attributes.firstIndex(where: { $0.name == row[4].string }), let mine = mine?[index],
          let theirs = theirs?[index]
        else { return nil }
        kind = .attribute(index, base: try StoredFields.fields(row[7], of: entity)?[index], mine: mine, theirs: theirs)
      case "deletedThere": kind = .deletedThere(mine ?? Fields(count: entity.attributes.count))
      case "deletedHere": kind = .deletedHere(theirs ?? Fields(count: entity.attributes.count))
      default: kind = .erased
      }
      let report = ConflictReport(
        row: RowID(number, id), key: row[2] == .null ? nil : SyncKey(row[2]), kind: kind,
        choice: row[8] == .text("mine") ? .mine : .theirs)
      return (row[9].number ?? 0, report)
    }
  }
}
