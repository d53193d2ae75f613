/// The values of a changed row, before or after the change, used in place of an object.
struct RowValues: QueryRow {
  let changes: EntityChanges
  let row: RowChange
  /// Whether these are the values after the change.
  let isNew: Bool
  let paths: [AnyKeyPathReference: QueryDependencies.Source]

  /// Nil if the value is not known.
  func value(_ source: QueryDependencies.Source) -> StoredValue? {
    switch source {
    case .id: return .integer(row.id)
    case .slot(let slot):
      guard let values = changes.values(slot, of: row) else { return nil }
      let value = isNew ? values.new : values.old
      return value.isInStoredForm(of: changes.entity.columns[slot]) ? value : nil
    }
  }

  var rowID: Int64 { row.id }

  func answer(at path: AnyKeyPath) throws(UnsupportedQueryError) -> QueryAnswer {
    guard let value = paths[AnyKeyPathReference(path)].flatMap({ value($0) }) else {
      throw .unknown(path, in: changes.entity)
    }
    return .value(value)
  }
}

extension StoredValue {
  /// Whether the store keeps the value unchanged. SQLite may convert a value that does not match its column.
  fileprivate func isInStoredForm(of column: Column) -> Bool {
    switch (self, column.storageClass) {
    case (.null, _), (.integer, .integer), (.real, .real), (.text, .text), (.blob, .blob): true
    default: false
    }
  }
}
