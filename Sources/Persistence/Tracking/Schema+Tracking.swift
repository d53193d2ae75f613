extension Schema {
  /// Returns the same schema, whose stores also keep what the objects of these classes were before their changes. See
  /// `BaseTable`.
  package func tracking(_ classes: [TrackedClass]) -> Schema {
    var result = self
    for tracked in classes { result.track(tracked) }
    return result
  }

  /// The name of the attribute or relationship that a key path leads to.
  package func property(at keyPath: AnyKeyPath, of type: ManagedObject.Type) -> String? {
    guard let entity = entity(of: type) else { return nil }
    if case .toMany(let relationship) = entity.property(at: keyPath) { return relationship.property }
    return entity.slot(at: keyPath).map { entity.columns[$0].property }
  }

  private mutating func track(_ tracked: TrackedClass) {
    let name = _typeName(tracked.type, qualified: false)
    func refuse(_ text: String) -> SchemaViolation { SchemaViolation(type: name, property: nil, text: text) }
    guard let entity = entity(of: tracked.type) else {
      return problems.append(refuse("is tracked, but not in the schema"))
    }
    if trackedClasses.contains(where: { $0.index == entity.index }) {
      return problems.append(refuse("is tracked twice"))
    }
    // Its key paths lead nowhere, and that is a problem already.
    guard entity.problems.isEmpty else { return }
    let lists = tracked.lists.compactMap { path -> (relationship: Relationship, isIndependent: Bool)? in
      guard case .toMany(let relationship) = entity.property(at: path), case .join = relationship.storage else {
        problems.append(refuse("\(path.queryDescription) is not a many-to-many relationship"))
        return nil
      }
      return (relationship, tracked.independent.contains(path))
    }
    var slots = [SlotSet(), SlotSet()]
    for (index, paths) in [tracked.ignored, tracked.independent].enumerated() {
      for path in paths where index == 0 || !tracked.lists.contains(path) {
        if let slot = entity.slot(at: path) {
          slots[index].insert(slot)
        } else {
          problems.append(refuse("\(path.queryDescription) is neither an attribute nor a to-one relationship"))
        }
      }
    }
    let description = TrackedClassDescription(
      of: entity, lists: lists, ignoring: slots[0], independent: slots[1])
    for attribute in description.attributes
    where !attribute.isIgnored && BaseTable.ownColumns.contains(attribute.column.lowercased()) {
      problems.append(
        SchemaViolation(
          type: name, property: attribute.property,
          text: "a tracked class cannot have a column of the name \"\(attribute.column)\""))
    }
    // FTS5 appends to the name of an index for its own tables.
    let base = description.base.bareName.lowercased()
    for search in searchTables where base.hasPrefix(search.bareName.lowercased()) {
      problems.append(refuse("its base table would have the name of a full-text index of \(search.owner)"))
    }
    trackedClasses.append(description)
  }
}
