internal import Foundation

/// A class of the schema: names, kinds and places of what it keeps.
final class Entity: @unchecked Sendable {
  // @unchecked: everything is set by the schema's initializer, before another thread can know of it, save for the key
  // paths and their sample, which stand behind a lock.
  let type: ManagedObject.Type
  let name: String
  let index: Int
  private(set) var columns: [Column]
  private(set) var relationships: [Relationship] = []
  /// By the number of a to-many, and by the slot of a to-one.
  private(set) var toMany: [Relationship] = []
  private(set) var references: [Relationship?]
  let keyPaths: KeyPathIndex
  private(set) var indexes: [EntityIndex] = []
  /// The slots whose values, alone or with others, must be unique.
  private(set) var uniqueSlots = SlotSet()
  private(set) var problems: [SchemaProblem] = []

  init(_ type: ManagedObject.Type, index: Int, _ fields: inout StoredFields) {
    self.type = type
    self.index = index
    // `String(describing:)` would look for a mirror of the class first.
    name = _typeName(type, qualified: false)
    let sample = Sample(of: type)
    columns = sample.probe.columns
    references = Array(repeating: nil, count: columns.count)
    keyPaths = KeyPathIndex(sample)

    guard sample.isSound else {
      problems.append(SchemaProblem(type: name, property: nil, text: "its init makes other managed objects"))
      columns = []
      references = []
      return
    }
    if columns.count > SlotSet.capacity {
      let text = "\(columns.count) attributes and to-one relationships; at most \(SlotSet.capacity) are possible"
      problems.append(SchemaProblem(type: name, property: nil, text: text))
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
    Sample.watch(sample.object)
    findIndexes()
  }

  private func findIndexes() {
    for (slot, column) in columns.enumerated() where column.isUnique || column.isIndexed {
      indexes.append(EntityIndex(slots: [slot], isUnique: column.isUnique))
    }
    for index in type.indexes where problems.isEmpty {
      let slots = index.keyPaths.compactMap { keyPath -> Int? in
        switch property(at: keyPath) {
        case .attribute(let slot): slot
        case .toOne(let relationship): relationship.declaration.slot
        default: nil
        }
      }
      if slots.isEmpty || slots.count < index.keyPaths.count || Set(slots).count < slots.count {
        let text = "an index is over something else than its attributes and to-one relationships, each once"
        problems.append(SchemaProblem(type: name, property: nil, text: text))
      } else if !indexes.contains(where: { $0.slots == slots && $0.isUnique == index.isUnique }) {
        indexes.append(EntityIndex(slots: slots, isUnique: index.isUnique))
      }
    }
    for index in indexes where index.isUnique {
      for slot in index.slots { uniqueSlots.insert(slot) }
    }
  }

  /// Names and byte offsets.
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
        let text = "its wrapper was not made by the property's own declaration, or not in this object"
        problems.append(SchemaProblem(type: name, property: wrapper.property, text: text))
      }
    }
    let lost = columns.count { $0.property.isEmpty } + toMany.count { $0.property.isEmpty }
    if lost > 0 {
      let text =
        "\(lost) of its attributes and relationships could not be found in the object: their wrappers are made more than "
        + "once, or the class was compiled without reflection metadata"
      problems.append(SchemaProblem(type: name, property: nil, text: text))
    }
  }

  private static let ownNames = [SQL.id: "the store's own", SQL.version: "the store's own"]

  private func checkNames() {
    var taken = Entity.ownNames
    for column in columns {
      // SQLite folds ASCII case in names.
      let folded = column.name.lowercased()
      if let other = taken[folded] {
        let text = "the column name \"\(column.name)\" is taken by \(other)"
        problems.append(SchemaProblem(type: name, property: column.property, text: text))
      }
      if column.name.isEmpty || column.name.utf8.contains(0) {
        problems.append(
          SchemaProblem(type: name, property: column.property, text: "the column name is empty or has a NUL"))
      }
      for prefix in [SQL.orderPrefix, SQL.sortKeyPrefix] where folded.hasPrefix(prefix) {
        let text = "the store keeps column names that begin with \(prefix) for itself"
        problems.append(SchemaProblem(type: name, property: column.property, text: text))
      }
      taken[folded] = column.property
    }
  }

  var table: String { SQL.name(name) }

  /// `"_id",…,"_version"`: what a statement must select for objects to be made of its rows.
  private(set) lazy var selection = ([SQL.name(SQL.id)] + columns.map(\.quoted) + [SQL.name(SQL.version)])
    .joined(separator: ",")

  /// The same of one table of several.
  func selection(of alias: String) -> String {
    ([SQL.name(SQL.id)] + columns.map(\.quoted) + [SQL.name(SQL.version)]).map { "\(alias).\($0)" }.joined(
      separator: ",")
  }

  func finish() { _ = selection }

  func column(named property: String) -> Int? { columns.firstIndex { $0.property == property } }

  /// What a key path of the class leads to, or nil if it is not kept by the store.
  func property(at keyPath: AnyKeyPath) -> EntityProperty? { keyPaths.property(at: keyPath, in: self) }
}

/// An index of a class, by the slots of its columns.
struct EntityIndex: Sendable {
  let slots: [Int]
  let isUnique: Bool
}

/// What a key path leads to.
enum EntityProperty {
  case id
  /// The slot of an attribute.
  case attribute(Int)
  case toOne(Relationship)
  case toMany(Relationship)
}
