/// Methods that read the store with SQL.
extension ObjectSpace {
  /// Runs a `SELECT` statement and decodes each row of its result.
  ///
  /// ```swift
  /// struct Summary: Decodable { var director: String, number: Int }
  /// let summaries = try objects.select(
  ///   """
  ///   SELECT d.name AS director, count(*) AS number FROM \(Movie.self) m JOIN \(Director.self) d ON d._id = m.director
  ///   WHERE m.year > \(1990) GROUP BY d._id
  ///   """, as: Summary.self)
  /// let titles = try objects.select("SELECT title FROM \(Movie.self) ORDER BY title", as: String.self)
  /// ```
  ///
  /// If the row type is an attribute type other than an array, a set or a dictionary, only the first column of each row
  /// is read. For any other row type, the names of its coding keys determine which columns are read. If several columns
  /// have the same name, the first of these columns is read. Values are converted from the stored forms of attributes,
  /// so dates, enumerations and decimals are returned as they were assigned. `Docs/StoreFile.md` in the repository
  /// describes the tables.
  ///
  /// As in a fetch, this context's unsaved changes are included, except in the tables of full-text indexes, which
  /// contain what the last commit has indexed. A statement that does anything other than read is
  /// rejected before it runs. If the calling task is cancelled, the running statement is interrupted. An unbounded
  /// recursive query that is not interrupted runs until memory is exhausted. To make such a query end, add a `LIMIT`.
  ///
  /// - Throws: ``PersistenceError/queryFailed(_:)`` if the statement is rejected or fails, or if a row cannot be
  ///   decoded; ``PersistenceError/body(_:)`` with an error thrown by the row type's own `init(from:)`;
  ///   ``PersistenceError/notUnique(_:)`` if two objects of a class that the statement reads have the same value
  ///   for a unique attribute in the running `persist`.
  public func select<Record: Decodable>(_ query: SQLQuery, as type: Record.Type) throws(PersistenceError) -> [Record] {
    if let value = type as? any AttributeValue.Type, !(type is any CollectionAttribute.Type) {
      return try rows(of: query) { try $0.value(value, as: type, at: 0) }
    }
    return try rows(of: query) { try type.init(from: $0) }
  }

  /// Runs a `SELECT` statement and returns each row of its result as a tuple of values, in the order of the columns.
  ///
  /// ```swift
  /// let years = try objects.select("SELECT year, max(rating) FROM \(Movie.self) GROUP BY 1", as: (Int, Double?).self)
  /// ```
  ///
  /// If the result does not have exactly one column for each element of the tuple, the method throws
  /// ``PersistenceError/queryFailed(_:)``. In all other respects, this method behaves like the variant that decodes a
  /// type.
  public func select<First: AttributeValue, Second: AttributeValue, each More: AttributeValue>(
    _ query: SQLQuery, as type: (First, Second, repeat each More).Type
  ) throws(PersistenceError) -> [(First, Second, repeat each More)] {
    var count: Int32 = 2
    for _ in repeat (each More).self { count += 1 }
    return try rows(of: query, columns: Int(count)) { decoder in
      var column: Int32 = -1
      func next<Value: AttributeValue>(_ type: Value.Type) throws -> Value {
        column += 1
        return try decoder.attribute(type, at: column)
      }
      return (try next(First.self), try next(Second.self), repeat try next((each More).self))
    }
  }

  private func rows<Record>(
    of query: SQLQuery, columns: Int? = nil, _ make: (SQLRowDecoder) throws -> Record
  ) throws(PersistenceError) -> [Record] {
    try reading { () throws(PersistenceError) in
      // First, so that a refused query has no effects.
      let sql = try text(of: query)
      let prepared = try connection.readOnlyStatements().statement(sql)
      let isSearch = prepared.tables.contains { SearchTable.isPart($0) }
      let pending = try beginQuery(isSearch: isSearch).named(prepared.tables)
      try requireSettled(in: prepared.tables)
      return try whileNaming(pending) { () throws(PersistenceError) in
        try rows(of: prepared.statement, query.arguments, columns, make)
      }
    }
  }

  private func rows<Record>(
    of statement: Statement, _ arguments: [StoredValue], _ columns: Int?, _ make: (SQLRowDecoder) throws -> Record
  ) throws(PersistenceError) -> [Record] {
    let statements = try connection.readOnlyStatements()
    try statements.bind(arguments, to: statement)
    let decoder = SQLRowDecoder(statement)
    defer { decoder.end() }
    var records: [Record] = []
    do {
      try statements.forEachRow(of: statement) {
        if decoder.row < 0 { try decoder.begin(expecting: columns) }
        decoder.nextRow()
        records.append(try make(decoder))
      }
    } catch let error as PersistenceError {
      throw error
    } catch let error as DecodingError {
      throw decoder.failure(of: error)
    } catch {
      throw .body(error)
    }
    return records
  }

  private func requireSettled(in names: Set<String>) throws(PersistenceError) {
    for registry in registries where !registry.changes.unsettled.isEmpty {
      let name = registry.entity.name.lowercased()
      if names.contains(where: { $0.lowercased() == name }) { try registry.requireSettled(.everything) }
    }
  }

  private func text(of query: SQLQuery) throws(PersistenceError) -> String {
    var sql = ""
    for part in query.parts {
      switch part {
      case .text(let text): sql += text
      case .table(let type): sql += SQL.identifier(try registry(of: type).entity.name)
      case .plainDecimal:
        let remedy = "a Decimal is compared by its sort key: write \\(sortKey: …), next to \\(\\Class.attribute)"
        throw .queryFailed(SQLQueryFailure(.invalidArgument, remedy, sql: sql))
      case .column(let path, let type): sql += SQL.identifier(try columnName(of: type, at: path))
      }
    }
    return sql
  }

  private func columnName(of type: ManagedObject.Type, at path: any PropertyPath) throws(PersistenceError) -> String {
    let entity = try registry(of: type).entity
    switch entity.property(at: path) {
    case .id: return SQL.id
    case .attribute(let slot): return entity.columns[slot].keyName
    case .toOne(let relationship):
      if let slot = relationship.declaration.slot { return entity.columns[slot].keyName }
    default: break
    }
    throw .unsupportedQuery(.unknown(path, in: entity))
  }
}
