/// Builds the statements of an import.
struct ImportPlan {
  let entity: Entity
  let key: EntityIndex.Part
  let slots: [Int]
  /// The relationships whose objects are found by a unique attribute.
  let lookups: [Lookup]
  /// The to-one relationships among them, with their numbers.
  let toOnes: [(number: Int, slot: Int)]
  /// The slots of non-optional attributes that no field sets. New objects receive their default values.
  private let defaults: [Int]

  struct Lookup {
    let relationship: Relationship
    let ignoresUnknown: Bool
    /// The unique attribute of the related class.
    let attribute: Column
    private let key: EntityIndex.Part

    init(_ relationship: Relationship, _ lookup: ImportLookup) throws(UnsupportedQueryError) {
      self.relationship = relationship
      ignoresUnknown = lookup.ignoresUnknown
      let target = relationship.target
      guard let slot = target.slot(at: lookup.attribute) else {
        throw .unknown(lookup.attribute, in: target, "a unique attribute")
      }
      attribute = target.columns[slot]
      guard let key = target.uniqueParts(of: [slot])?.first else {
        throw UnsupportedQueryError("\(target.name).\(attribute.property)", "is not declared unique")
      }
      self.key = key
    }

    /// A query for the id of the object that has a value.
    func object(with value: String) -> String {
      let target = relationship.target
      return "(SELECT \(SQL.name(SQL.id)) FROM \(target.table) WHERE \(SQL.name(target.name(of: key)))="
        + (key.isFolded ? "\(TextFunction.fold)(\(value)))" : "\(value))")
    }
  }

  init(
    _ entity: Entity, matching key: AnyKeyPath, _ fields: [AnyKeyPath], _ found: [ImportLookup?]
  ) throws(UnsupportedQueryError) {
    self.entity = entity
    var (slots, lookups): ([Int], [Lookup]) = ([], [])
    for (field, lookup) in zip(fields, found) {
      var relationship: Relationship?
      switch entity.property(at: field) {
      case .toOne(let toOne): relationship = toOne
      case .toMany(let toMany) where lookup != nil: relationship = toMany
      case .attribute: break
      default: throw .unknown(field, in: entity, "an attribute or to-one relationship")
      }
      let slot = entity.slot(at: field)
      let name = "\(entity.name).\(slot.map { entity.columns[$0].property } ?? relationship?.property ?? "")"
      if let slot, slots.contains(slot) { throw UnsupportedQueryError(name, "is set twice") }
      if let relationship {
        if lookups.contains(where: { $0.relationship === relationship }) {
          throw UnsupportedQueryError(name, "is set twice")
        }
        if slot != nil, !relationship.inverse.isToMany {
          throw UnsupportedQueryError(name, "is a one-to-one relationship, which an import cannot set")
        }
        if let lookup { lookups.append(try Lookup(relationship, lookup)) }
      }
      if let slot { slots.append(slot) }
    }
    self.lookups = lookups
    toOnes = lookups.enumerated().compactMap { number, lookup in
      lookup.relationship.declaration.slot.map { (number, $0) }
    }
    guard let slot = entity.slot(at: key) else { throw .unknown(key, in: entity, "a unique attribute") }
    guard slots.contains(slot), let key = entity.uniqueParts(of: [slot])?.first else {
      throw UnsupportedQueryError(
        "\(entity.name).\(entity.columns[slot].property)", "must be a unique attribute that one of the fields sets")
    }
    self.key = key
    self.slots = slots
    defaults = entity.columns.indices.filter { !slots.contains($0) && !entity.columns[$0].isOptional }
  }

  /// - Parameters:
  ///   - rows: The number of rows per statement.
  ///   - hasID: Whether an id precedes each row's values.
  ///   - isTold: Whether the statement returns the id and version of each row, and the to-one relationships whose
  ///     objects it finds.
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
      var values = (0..<width).map { "?\(row * width + $0 + 1)" } + common
      for (number, slot) in toOnes {
        guard let index = slots.firstIndex(of: slot) else { continue }
        values[first + index] = lookups[number].object(with: values[first + index])
      }
      let derived = zip(all, values.dropFirst(first)).flatMap { columns[$0].derived($1).map(\.value) }
      return "(" + (values + derived).joined(separator: ",") + ")"
    }
    let version = SQL.name(SQL.version)
    let sets = slots.filter { $0 != key.slot || key.isFolded }.flatMap { slot in
      ([columns[slot].quoted] + columns[slot].derived("").map(\.column)).map { "\($0)=excluded.\($0)" }
    }
    let orders = slots.compactMap { slot in
      entity.references[slot]?.inverse.orderColumn.map { order in
        // A row that stays with its owner keeps its position.
        "\(order)=CASE WHEN \(columns[slot].quoted) IS excluded.\(columns[slot].quoted) THEN \(order) END"
      }
    }
    let told = [SQL.name(SQL.id), version] + toOnes.map { columns[$0.slot].quoted }
    return "INSERT INTO \(entity.table)(\(names.joined(separator: ","))) VALUES \(tuples.joined(separator: ",")) "
      + "ON CONFLICT(\(SQL.name(entity.name(of: key)))) DO UPDATE SET "
      + (["\(version)=\(version)+1"] + sets + orders).joined(separator: ",")
      + (isTold ? " RETURNING \(told.joined(separator: ","))" : "")
  }

  /// A query for the ids of the rows that the statement will update. It has the same parameters.
  func updatedRows(rows: Int, hasID: Bool) -> String {
    let first = hasID ? 1 : 0
    let index = (slots.firstIndex(of: key.slot) ?? 0) + first + 1
    let values = (0..<rows).map { row in
      let value = "?\(row * (slots.count + first) + index)"
      return key.isFolded ? "\(TextFunction.fold)(\(value))" : value
    }
    return "SELECT \(SQL.name(SQL.id)) FROM \(entity.table) WHERE \(SQL.name(entity.name(of: key))) "
      + "IN (\(values.joined(separator: ",")))"
  }

  func bindDefaults(to statement: Statement, rows: Int, hasID: Bool) throws(PersistenceError) {
    let width = slots.count + (hasID ? 1 : 0)
    try statement.bind(defaults.map { entity.columns[$0].defaultValue }, from: Int32(rows * width + 1))
  }
}

extension Entity {
  /// Returns the columns by which the combination of properties is unique among all objects, in the order of the slots.
  /// Texts that are unique only when they are folded are compared by their folded form.
  func uniqueParts(of slots: [Int]) -> [EntityIndex.Part]? {
    let found = indexes.filter { index in
      index.isUnique && index.isPlain && index.parts.count == slots.count && Set(index.slots) == Set(slots)
    }
    let index = found.first { $0.parts.contains(where: \.isFolded) } ?? found.first
    return index.map { index in slots.compactMap { slot in index.parts.first { $0.slot == slot } } }
  }
}
