/// Builds the statements of an import.
struct ImportPlan {
  let entity: Entity
  let key: Int
  let slots: [Int]
  /// The slots of non-optional attributes that no field sets. New objects receive their default values.
  private let defaults: [Int]

  init(_ entity: Entity, matching key: AnyKeyPath, _ fields: [AnyKeyPath]) throws(UnsupportedQueryError) {
    self.entity = entity
    var slots: [Int] = []
    for field in fields {
      guard let slot = entity.slot(at: field) else {
        throw .unknown(field, in: entity, "an attribute or to-one relationship")
      }
      if slots.contains(slot) {
        throw UnsupportedQueryError("\(entity.name).\(entity.columns[slot].property)", "is set twice")
      }
      slots.append(slot)
    }
    guard let slot = entity.slot(at: key) else { throw .unknown(key, in: entity, "a unique attribute") }
    guard slots.contains(slot), entity.indexes.contains(where: { $0.isUnique && $0.isPlain && $0.slots == [slot] })
    else {
      throw UnsupportedQueryError(
        "\(entity.name).\(entity.columns[slot].property)", "must be a unique attribute that one of the fields sets")
    }
    self.key = slot
    self.slots = slots
    defaults = entity.columns.indices.filter { !slots.contains($0) && !entity.columns[$0].isOptional }
  }

  /// - Parameters:
  ///   - rows: The number of rows per statement.
  ///   - hasID: Whether an id precedes each row's values.
  ///   - isTold: Whether the statement returns the id and version of each row.
  func statement(rows: Int, hasID: Bool, isTold: Bool) -> String {
    let columns = entity.columns
    let all = slots + defaults
    let names =
      (hasID ? [SQL.name(SQL.id)] : []) + all.map { columns[$0].quoted }
      + all.flatMap { columns[$0].derived("").map(\.column) }
    let first = hasID ? 1 : 0
    let width = slots.count + first
    // Values that are the same in all rows are bound once.
    let common = defaults.indices.map { "?\(rows * width + $0 + 1)" }
    let tuples = (0..<rows).map { row in
      let values = (0..<width).map { "?\(row * width + $0 + 1)" } + common
      let derived = zip(all, values.dropFirst(first)).flatMap { columns[$0].derived($1).map(\.value) }
      return "(" + (values + derived).joined(separator: ",") + ")"
    }
    let version = SQL.name(SQL.version)
    let sets = slots.filter { $0 != key }.flatMap { slot in
      ([columns[slot].quoted] + columns[slot].derived("").map(\.column)).map { "\($0)=excluded.\($0)" }
    }
    let orders = slots.compactMap { entity.references[$0]?.inverse.orderColumn }.map { "\($0)=NULL" }
    return "INSERT INTO \(entity.table)(\(names.joined(separator: ","))) VALUES \(tuples.joined(separator: ",")) "
      + "ON CONFLICT(\(columns[key].quoted)) DO UPDATE SET "
      + (["\(version)=\(version)+1"] + sets + orders).joined(separator: ",")
      + (isTold ? " RETURNING \(SQL.name(SQL.id)),\(version)" : "")
  }

  func bindDefaults(to statement: Statement, rows: Int, hasID: Bool) throws(PersistenceError) {
    let width = slots.count + (hasID ? 1 : 0)
    try statement.bind(defaults.map { entity.columns[$0].defaultValue }, from: Int32(rows * width + 1))
  }
}

extension Entity {
  /// Returns the slot of an attribute or to-one relationship, or nil if the key path is neither.
  func slot(at keyPath: AnyKeyPath) -> Int? {
    switch property(at: keyPath) {
    case .attribute(let slot): slot
    case .toOne(let relationship): relationship.declaration.slot
    default: nil
    }
  }
}
