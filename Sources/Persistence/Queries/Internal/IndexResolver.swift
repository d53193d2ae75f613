/// Finds the indexes of a class: those that its attributes ask for, and those that it declares.
struct IndexResolver {
  private let entity: Entity
  private(set) var columns: [Column]
  private(set) var indexes: [EntityIndex] = []
  private(set) var problems: [SchemaViolation] = []

  init(_ entity: Entity) {
    self.entity = entity
    columns = entity.columns
    addColumns()
    // A class with problems has no key paths.
    if entity.problems.isEmpty { addDeclared() }
  }

  private mutating func addColumns() {
    for (slot, column) in columns.enumerated() {
      if column.isUniqueFolded {
        indexes.append(EntityIndex(parts: [EntityIndex.Part(slot: slot, isFolded: true)], isUnique: true))
      }
      if column.isUnique || column.isIndexed {
        indexes.append(EntityIndex(parts: [EntityIndex.Part(slot: slot)], isUnique: column.isUnique))
      }
    }
  }

  private mutating func addDeclared() {
    for index in entity.type.indexes {
      let known = problems.count
      var parts: [EntityIndex.Part] = []
      for part in index.parts {
        if let part = resolve(part) { parts.append(part) }
      }
      if problems.count > known { continue }
      if parts.isEmpty || parts.count < index.parts.count || Set(parts).count < parts.count {
        refuse(
          "an index must name attributes and to-one relationships of the class, or properties of "
            + "queryable values, each at most once")
        continue
      }
      var found = EntityIndex(parts: parts, isUnique: index.isUnique)
      do throws(UnsupportedQueryError) {
        if let condition = index.condition { found.condition = try condition.indexCondition(of: entity) }
      } catch {
        refuse("an index: \(error)")
        continue
      }
      if !indexes.contains(where: { $0.isSame(as: found) }) { indexes.append(found) }
    }
  }

  private mutating func resolve(_ part: AttributeIndex.Part) -> EntityIndex.Part? {
    switch part {
    case .path(let path), .folded(let path):
      guard let slot = entity.slot(at: path) else {
        refuse("an index: \(UnsupportedQueryError.unknown(path, in: entity, "an attribute or to-one relationship"))")
        return nil
      }
      guard case .folded = part else { return EntityIndex.Part(slot: slot) }
      columns[slot].isFolded = true
      return EntityIndex.Part(slot: slot, isFolded: true)
    case .term(let term):
      guard let source = term.indexSource(in: entity) else { return nil }
      guard let (path, storage) = source.field else { return EntityIndex.Part(slot: source.slot) }
      return resolve(path, storage, of: source.slot)
    }
  }

  private mutating func resolve(_ path: FieldPath, _ storage: StorageClass, of slot: Int) -> EntityIndex.Part? {
    let column = columns[slot]
    let name = SQL.field(path, of: column.name).lowercased()
    let others = column.fields.map(\.path).filter { $0 != path }
    if let other = others.first(where: { SQL.field($0, of: column.name).lowercased() == name }) {
      let text = "\(path.pointer) and \(other.pointer) cannot both be indexed: SQLite ignores the case of column names"
      refuse(text, column.property)
      return nil
    }
    if others.count == column.fields.count { columns[slot].fields.append((path, storage)) }
    return EntityIndex.Part(slot: slot, field: path)
  }

  private mutating func refuse(_ text: String, _ property: String? = nil) {
    problems.append(SchemaViolation(type: entity.name, property: property, text: text))
  }
}
