extension SyncModel {
  /// The references among values to rows of this store.
  package func references(in fields: Fields, of entity: Int) -> [(attribute: Int, row: RowID)] {
    uses(in: fields, of: entity).compactMap { attribute, target, value in
      if case .object(let id) = value { (attribute, RowID(target, id)) } else { nil }
    }
  }

  /// The references among values to rows by their names.
  func names(in fields: Fields, of entity: Int) -> [RemoteName] {
    uses(in: fields, of: entity).compactMap { _, target, value in
      if case .key(let key) = value { RemoteName(target, key) } else { nil }
    }
  }

  private func uses(in fields: Fields, of entity: Int) -> [(attribute: Int, target: Int, SyncValue)] {
    guard classes[entity].hasReferences else { return [] }
    return classes[entity].attributes.enumerated().flatMap { index, attribute in
      guard let target = attribute.target else { return [] as [(Int, Int, SyncValue)] }
      return (fields.values[index]?.references ?? []).map { (index, target, $0) }
    }
  }
}
