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
      problems.append(.nested(in: name))
      columns = []
      references = []
      return
    }
    if columns.count > SlotSet.capacity {
      refuse("\(columns.count) attributes and to-one relationships exceed the maximum of \(SlotSet.capacity)")
      columns = []
      references = []
      return
    }
    relationships = sample.probe.relationships.map { Relationship($0, in: self) }
    toMany = relationships.filter(\.isToMany)
    for relationship in relationships {
      if let slot = relationship.declaration.slot { references[slot] = relationship }
    }
    locate(sample.wrappers(&fields))
    checkNames()
    for column in columns {
      for text in column.jsonNameProblems { refuse(text, column.property) }
    }
    Sample.watch(sample.object)
  }

  private func refuse(_ text: String, _ property: String? = nil) {
    problems.append(SchemaViolation(type: name, property: property, text: text))
  }

  private func findSearchables() {
    for column in columns where column.isFolded && column.layout != .text && column.layout != .optionalText {
      refuse("only attributes of type String or String? can be folded", column.property)
    }
    let slots = columns.indices.filter { columns[$0].isSearchable }
    for column in slots.map({ columns[$0] }) {
      if column.layout != .text, column.layout != .optionalText {
        refuse("only attributes of type String or String? can be searchable", column.property)
      }
      if ["rank", "rowid"].contains(column.name.lowercased()) {
        refuse("FTS5 reserves the column name \"\(column.name)\": choose another one with .column(_:)", column.property)
      }
    }
    searchSlots = slots.sorted { columns[$0].name < columns[$1].name }
  }

  /// Assigns names and byte offsets to columns and to-many relationships.
  private func locate(_ wrappers: [Sample.Wrapper]) {
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
        refuse("its wrapper was not created in this object by the property's own declaration", wrapper.property)
      }
    }
    let lost = columns.count { $0.property.isEmpty } + toMany.count { $0.property.isEmpty }
    if lost > 0 {
      refuse(
        "\(lost) attributes and relationships were not found in the object: their wrappers are initialized more than "
          + "once, or the class was compiled without reflection metadata")
    }
  }

  private static let ownNames = [SQL.id: "the store", SQL.version: "the store"]

  private func checkNames() {
    var taken = Entity.ownNames
    for column in columns {
      // SQLite folds ASCII case in names.
      let folded = column.name.lowercased()
      if let other = taken[folded] {
        refuse("the column name \"\(column.name)\" is already used by \(other)", column.property)
      }
      if column.name.isEmpty || column.name.utf8.contains(0) {
        refuse("the column name is empty or contains a NUL", column.property)
      }
      for prefix in [SQL.orderPrefix, SQL.sortKeyPrefix, SQL.foldedPrefix, SQL.fieldPrefix]
      where folded.hasPrefix(prefix) {
        refuse("column names that begin with \(prefix) are reserved for the store", column.property)
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

  /// Called once, when the indexes and the columns that they need are known.
  func finish(with columns: [Column], _ indexes: [EntityIndex], _ indexProblems: [SchemaViolation]) {
    self.columns = columns
    self.indexes = indexes
    problems += indexProblems
    indexConjuncts = indexes.flatMap { $0.condition?.conjunctsWithValues ?? [] }
    for index in indexes where index.isUnique {
      for slot in index.slots { uniqueSlots.insert(slot) }
      uniquenessSlots.formUnion(index.condition?.slots ?? SlotSet())
    }
    uniquenessSlots.formUnion(uniqueSlots)
    findSearchables()
    _ = selection
  }

  /// The name of an index's column.
  func name(of part: EntityIndex.Part) -> String {
    let column = columns[part.slot]
    if part.isFolded { return SQL.folded(of: column.name) }
    return part.field.map { SQL.field($0, of: column.name) } ?? column.keyName
  }

  func column(named property: String) -> Int? { columns.firstIndex { $0.property == property } }

  /// Returns the property that a key path of the class refers to, or nil if the property is not persistent.
  func property(at keyPath: AnyKeyPath) -> EntityProperty? { keyPaths.property(at: keyPath, in: self) }

  /// Returns the slot of an attribute or to-one relationship, or nil if the key path is neither.
  func slot(at keyPath: AnyKeyPath) -> Int? {
    switch property(at: keyPath) {
    case .attribute(let slot): slot
    case .toOne(let relationship): relationship.declaration.slot
    default: nil
    }
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

extension SchemaViolation {
  /// Creating an object creates others, so that the properties of a row would go to the wrong one.
  static func nested(in type: String) -> SchemaViolation {
    SchemaViolation(type: type, property: nil, text: "its init creates other managed objects")
  }
}
