/// The members of a many-to-many relationship in a ``BaseTable``: a column with their ids and commas between them, or
/// null if there are none.
///
/// A pair that comes, goes or moves changes the row of its owner. Its triggers are called before that, when the join
/// table still has the members that belong to the base.
struct BaseList: Hashable, Sendable {
  /// The relationship's name, which is that of the column.
  let name: String
  let join: String
  /// The columns of the join table: the owner, the member, and its position if the relationship is ordered.
  let own: String
  let other: String
  let order: String?

  /// SQL for the members of an owner. SQLite keeps the order of a query whose rows an aggregate takes.
  func members(of owner: String) -> String {
    let (member, order) = (SQL.name(other), order.map(SQL.name))
    return "(SELECT group_concat(\(member)) FROM (SELECT \(member) FROM \(SQL.name(join)) "
      + "WHERE \(SQL.name(own))=\(owner) ORDER BY \(order.map { "\($0) IS NULL,\($0)," } ?? "")\(member)))"
  }

  /// The statements that create the triggers of the join table, by type and name.
  ///
  /// - Parameter record: SQL that adds the record of the row with an id, unless there is one.
  func triggers(of base: String, _ record: (_ id: String) -> String) -> [String: String] {
    let (own, other) = (SQL.name(own), SQL.name(other))
    let columns = [own, other] + (order.map { [SQL.name($0)] } ?? [])
    // A pair that is there already is not inserted again.
    let isNew = "NOT EXISTS(SELECT 1 FROM \(SQL.name(join)) WHERE \(own)=NEW.\(own) AND \(other)=NEW.\(other))"
    let isChanged = columns.map { "OLD.\($0) IS NOT NEW.\($0)" }.joined(separator: " OR ")
    let events = [
      ("insert", "INSERT", "\(isNew) AND ", record("NEW.\(own)")), ("delete", "DELETE", "", record("OLD.\(own)")),
      (
        "update", "UPDATE OF \(columns.joined(separator: ","))", "(\(isChanged)) AND ",
        record("OLD.\(own)") + "; " + record("NEW.\(own)")
      ),
    ]
    return Dictionary(
      uniqueKeysWithValues: events.map { name, event, condition, body in
        // No class has a name with a period.
        let trigger = "\(base).\(self.name)_on_\(name)"
        return (
          "trigger \(trigger)",
          "CREATE TRIGGER \(SQL.name(trigger)) BEFORE \(event) ON \(SQL.name(join)) "
            + "WHEN \(condition)NOT EXISTS(SELECT 1 FROM _larder_applying) BEGIN \(body); END"
        )
      })
  }
}

extension StoredSchema {
  /// The many-to-many relationships of a class.
  func lists(of owner: String) -> [BaseList] {
    tables.flatMap { table -> [BaseList] in
      guard let sides = table.sides, table.columns.count > 1 else { return [] }
      return sides.enumerated().filter { $0.element.table == owner }.map { index, side in
        let (own, other) = (table.columns[index].name, table.columns[1 - index].name)
        let order = table.columns.dropFirst(2).first { $0.name == SQL.order(of: own) }
        return BaseList(name: side.property, join: table.name, own: own, other: other, order: order?.name)
      }
    }
  }
}
