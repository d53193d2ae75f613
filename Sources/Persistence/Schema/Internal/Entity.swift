internal import Foundation

/// A class of the schema: the names, types and offsets of its persistent properties.
final class Entity: @unchecked Sendable {
  // @unchecked: the schema's initializer sets everything before another thread can see the entity. The exceptions are
  // the key paths and their sample, which a lock protects.
  let type: ManagedObject.Type
  let name: String
  let index: Int
  private(set) var columns: [Column]
  private(set) var relationships: [Relationship] = []
  /// Indexed by the number of a to-many relationship.
  private(set) var toMany: [Relationship] = []
  /// Indexed by the slot of a to-one relationship; nil for attributes.
  private(set) var references: [Relationship?]
  let keyPaths: KeyPathIndex
  private(set) var indexes: [EntityIndex] = []
  /// The conjuncts with values of the indexes' conditions. Queries that have them write their values as literals, too.
  private(set) var indexConjuncts: [String] = []
  /// The slots whose values must be unique, alone or together with others.
  private(set) var uniqueSlots = SlotSet()
  /// The same with the slots that decide whether values must be unique.
  private(set) var uniquenessSlots = SlotSet()
  /// The slots of the attributes in the full-text index, in the order of its columns: by name, so that the order does
  /// not depend on the declarations.
  private(set) var searchSlots: [Int] = []
  private(set) var problems: [SchemaViolation] = []

  init(_ type: ManagedObject.Type, index: Int, _ fields: inout StoredFields) {
    self.type = type
    self.index = index
    // `String(describing:)` would first look for a custom mirror of the class.
    name = _typeName(type, qualified: false)
    let sample = Sample(of: type)
    columns = sample.probe.columns
    references = Array(repeating: nil, count: columns.count)
    keyPaths = KeyPathIndex(sample)

    guard sample.isSound else {
      problems.append(SchemaViolation(type: name, property: nil, text: "its init creates other managed objects"))
      columns = []
      references = []
      return
    }
    if columns.count > SlotSet.capacity {
      let text = "\(columns.count) attributes and to-one relationships exceed the maximum of \(SlotSet.capacity)"
      problems.append(SchemaViolation(type: name, property: nil, text: text))
      columns = []
      references = []
      return
    }
    relationships = sample.probe.relationships.map { Relationship($0, in: self) }
    toMany = relationships.filter(\.isToMany)
    for relationship in relationships {
      if let slot = relationship.declaration.slot { references[slot] = relationship }
    }
    place(sample.wrappers(&fields))
    checkNames()
    for column in columns {
      problems += column.jsonNameProblems.map { SchemaViolation(type: name, property: column.property, text: $0) }
    }
    Sample.watch(sample.object)
    findIndexes()
    findSearchables()
  }

  private func findIndexes() {
    for (slot, column) in columns.enumerated() {
      if column.isUniqueFolded {
        indexes.append(EntityIndex(parts: [EntityIndex.Part(slot: slot, isFolded: true)], isUnique: true))
      }
      if column.isUnique || column.isIndexed {
        indexes.append(EntityIndex(parts: [EntityIndex.Part(slot: slot)], isUnique: column.isUnique))
      }
    }
    // A class with problems has no key paths, so the problems of its indexes are added when all have been read.
    var wrong: [SchemaViolation] = []
    for index in type.indexes where problems.isEmpty {
      let known = wrong.count
      let parts: [EntityIndex.Part] = index.parts.compactMap { part in
        switch part {
        case .path(let path), .folded(let path):
          if let slot = slot(at: path) {
            guard case .folded = part else { return EntityIndex.Part(slot: slot) }
            columns[slot].isFolded = true
            return EntityIndex.Part(slot: slot, isFolded: true)
          }
          let error = UnsupportedQueryError.unknown(path, in: self, "an attribute or to-one relationship")
          wrong.append(SchemaViolation(type: name, property: nil, text: "an index: \(error)"))
          return nil
        case .term(let term): return indexPart(term, &wrong)
        }
      }
      if wrong.count > known { continue }
      if parts.isEmpty || parts.count < index.parts.count || Set(parts).count < parts.count {
        let text =
          "an index must name attributes and to-one relationships of the class, or properties of "
          + "queryable values, each at most once"
        wrong.append(SchemaViolation(type: name, property: nil, text: text))
        continue
      }
      var found = EntityIndex(parts: parts, isUnique: index.isUnique)
      do throws(UnsupportedQueryError) {
        if let condition = index.condition { found.condition = try IndexCondition(condition, of: self) }
      } catch {
        wrong.append(SchemaViolation(type: name, property: nil, text: "an index: \(error)"))
        continue
      }
      if !indexes.contains(where: { $0.isSame(as: found) }) { indexes.append(found) }
    }
    problems += wrong
    indexConjuncts = indexes.flatMap { $0.condition?.conjunctsWithValues ?? [] }
    for index in indexes where index.isUnique {
      for slot in index.slots { uniqueSlots.insert(slot) }
      uniquenessSlots.formUnion(index.condition?.slots ?? SlotSet())
    }
    uniquenessSlots.formUnion(uniqueSlots)
  }

  private func indexPart(_ term: QueryExpression, _ wrong: inout [SchemaViolation]) -> EntityIndex.Part? {
    if case .property(let path, of: 0) = term { return slot(at: path).map { EntityIndex.Part(slot: $0) } }
    guard case .field(_, let field) = term, field.form != .json, let place = term.fieldPlace, place.scope == 0,
      let slot = slot(at: place.path)
    else { return nil }
    let path = FieldPath(names: place.names, form: field.form.rawValue)
    let name = SQL.field(path, of: columns[slot].name).lowercased()
    let others = columns[slot].fields.map(\.path).filter { $0 != path }
    if let other = others.first(where: { SQL.field($0, of: columns[slot].name).lowercased() == name }) {
      let text = "\(path.pointer) and \(other.pointer) cannot both be indexed: SQLite ignores the case of column names"
      wrong.append(SchemaViolation(type: self.name, property: columns[slot].property, text: text))
      return nil
    }
    if others.count == columns[slot].fields.count { columns[slot].fields.append((path, field.storage)) }
    return EntityIndex.Part(slot: slot, field: path)
  }

  private func findSearchables() {
    for column in columns where column.isFolded && column.layout != .text && column.layout != .optionalText {
      let text = "only attributes of type String or String? can be folded"
      problems.append(SchemaViolation(type: name, property: column.property, text: text))
    }
    let slots = columns.indices.filter { columns[$0].isSearchable }
    for column in slots.map({ columns[$0] }) {
      if column.layout != .text, column.layout != .optionalText {
        let text = "only attributes of type String or String? can be searchable"
        problems.append(SchemaViolation(type: name, property: column.property, text: text))
      }
      if ["rank", "rowid"].contains(column.name.lowercased()) {
        let text = "FTS5 reserves the column name \"\(column.name)\": choose another one with .column(_:)"
        problems.append(SchemaViolation(type: name, property: column.property, text: text))
      }
    }
    searchSlots = slots.sorted { columns[$0].name < columns[$1].name }
  }

  /// Assigns names and byte offsets to columns and to-many relationships.
  private func place(_ wrappers: [Sample.Wrapper]) {
    for wrapper in wrappers {
      let slot = Int(wrapper.number)
      let relation = slot - Int(Probe.relationBase)
      if columns.indices.contains(slot), columns[slot].property.isEmpty, columns[slot].valueType == wrapper.valueType {
        columns[slot].property = wrapper.property
        if columns[slot].name.isEmpty { columns[slot].name = wrapper.property }
        columns[slot].offset = wrapper.offset
        references[slot]?.property = wrapper.property
      } else if toMany.indices.contains(relation), toMany[relation].property.isEmpty,
        toMany[relation].declaration.valueType == wrapper.valueType
      {
        toMany[relation].property = wrapper.property
        toMany[relation].offset = wrapper.offset
      } else {
        let text = "its wrapper was not created in this object by the property's own declaration"
        problems.append(SchemaViolation(type: name, property: wrapper.property, text: text))
      }
    }
    let lost = columns.count { $0.property.isEmpty } + toMany.count { $0.property.isEmpty }
    if lost > 0 {
      let text =
        "\(lost) attributes and relationships were not found in the object: their wrappers are initialized more than "
        + "once, or the class was compiled without reflection metadata"
      problems.append(SchemaViolation(type: name, property: nil, text: text))
    }
  }

  private static let ownNames = [SQL.id: "the store", SQL.version: "the store"]

  private func checkNames() {
    var taken = Entity.ownNames
    for column in columns {
      // SQLite folds ASCII case in names.
      let folded = column.name.lowercased()
      if let other = taken[folded] {
        let text = "the column name \"\(column.name)\" is already used by \(other)"
        problems.append(SchemaViolation(type: name, property: column.property, text: text))
      }
      if column.name.isEmpty || column.name.utf8.contains(0) {
        problems.append(
          SchemaViolation(type: name, property: column.property, text: "the column name is empty or contains a NUL"))
      }
      for prefix in [SQL.orderPrefix, SQL.sortKeyPrefix, SQL.foldedPrefix, SQL.fieldPrefix]
      where folded.hasPrefix(prefix) {
        let text = "column names that begin with \(prefix) are reserved for the store"
        problems.append(SchemaViolation(type: name, property: column.property, text: text))
      }
      taken[folded] = column.property
    }
  }

  var table: String { SQL.name(name) }

  /// The columns that a statement must select to create objects from its rows: `"_id",…,"_version"`.
  private(set) lazy var selection = ([SQL.name(SQL.id)] + columns.map(\.quoted) + [SQL.name(SQL.version)])
    .joined(separator: ",")

  /// The same columns, qualified with the alias of a table.
  func selection(of alias: String) -> String {
    ([SQL.name(SQL.id)] + columns.map(\.quoted) + [SQL.name(SQL.version)]).map { "\(alias).\($0)" }.joined(
      separator: ",")
  }

  func finish() { _ = selection }

  /// The name of an index's column.
  func name(of part: EntityIndex.Part) -> String {
    let column = columns[part.slot]
    if part.isFolded { return SQL.folded(of: column.name) }
    return part.field.map { SQL.field($0, of: column.name) } ?? column.keyName
  }

  func column(named property: String) -> Int? { columns.firstIndex { $0.property == property } }

  /// Returns the property that a key path of the class refers to, or nil if the property is not persistent.
  func property(at keyPath: AnyKeyPath) -> EntityProperty? { keyPaths.property(at: keyPath, in: self) }
}

/// An index of a class. Identifies its columns by their slots.
struct EntityIndex: Sendable {
  struct Part: Hashable, Sendable {
    let slot: Int
    /// nil for the whole value.
    var field: FieldPath?
    /// Whether it is the folded text.
    var isFolded = false
  }

  let parts: [Part]
  let isUnique: Bool
  /// Which objects the index contains. nil for all.
  var condition: IndexCondition?

  var slots: [Int] { parts.map(\.slot) }

  /// Whether the index contains the columns of all objects.
  var isPlain: Bool { condition == nil && parts.allSatisfy { $0.field == nil } }

  func isSame(as other: EntityIndex) -> Bool {
    guard parts == other.parts, isUnique == other.isUnique else { return false }
    guard let condition, let second = other.condition else { return condition == nil && other.condition == nil }
    return condition.sql.hasSameBytes(as: second.sql)
  }
}

/// The kind of persistent property that a key path refers to.
enum EntityProperty {
  case id
  /// An attribute, by its slot.
  case attribute(Int)
  case toOne(Relationship)
  case toMany(Relationship)
}
