extension Entity {
  /// The full-text index, or nil if the class has no searchable attribute.
  var searchTable: SearchTable? { SearchTable(of: name, searchSlots.map { columns[$0].name }) }
}

extension StoredTable {
  /// The full-text index, or nil if there is none.
  var searchTable: SearchTable? { SearchTable(of: name, search) }
}

extension Schema {
  var searchTables: [SearchTable] { entities.compactMap(\.searchTable) }
}
