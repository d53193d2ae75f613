/// Methods that calculate values from objects without fetching them.
extension ObjectSpace {
  /// Groups the objects that a request describes by one or more terms, and calculates values for each group, in one
  /// statement.
  ///
  /// ```swift
  /// let groups = try objects.groups(
  ///   in: FetchDescriptor(Movie.self, where: { $0.seen }), by: { ($0.year, $0.director.id.optional) },
  ///   having: { $0.count > 1 }, of: { ($0.count, $0.average { $0.rating }) })
  /// for ((year, director), (count, mean)) in groups { print(year, director as Any, count, mean ?? 0) }
  /// ```
  ///
  /// The groups are sorted by the stored forms of their keys, with nil first. The request's sort order matters only if
  /// the request has a limit or an offset, because the order then determines which objects are grouped.
  ///
  /// - Throws: ``PersistenceError/unsupportedQuery(_:)`` if a term cannot be calculated, or if a term that is not
  ///   optional could be nil; ``PersistenceError/notUnique(_:)`` if a term depends on a unique attribute for which two
  ///   objects currently have the same value; ``PersistenceError/sumOverflow`` if a sum of integers does not fit in 64
  ///   bits.
  public func groups<Object: ManagedObject, each Key: QueryValue, each Value: QueryValue>(
    in request: FetchDescriptor<Object> = FetchDescriptor(Object.self),
    by keys: (Row<Object>) -> (repeat Term<Object, each Key>),
    having condition: (GroupedRows<Object>) -> Query<Object> = { _ in .all },
    of values: (GroupedRows<Object>) -> (repeat Term<Object, each Value>)
  ) throws(PersistenceError) -> [(key: (repeat each Key), value: (repeat each Value))] {
    let keys = SelectedTerm.all(keys)
    let results = SelectedTerm.all { (row: Row<Object>) in values(GroupedRows(number: row._number)) }
    let condition = SelectedTerm.one { (row: Row<Object>) in condition(GroupedRows(number: row._number)) }
    let terms = keys + results + [condition]
    let entity = try registry(of: Object.self).entity
    return try select(terms, in: request) { plan, generator, columns in
      let numbers = keys.indices.map { "\($0 + 1)" }.joined(separator: ",")
      let groups = plan.unordered(for: generator) + (keys.isEmpty ? "" : " GROUP BY \(numbers)")
      var having = ""
      if case .truth(true) = condition.expression {} else { having = " HAVING \(columns[columns.count - 1])" }
      let selected = columns.dropLast().joined(separator: ",")
      return "SELECT \(selected)\(groups)\(having)\(keys.isEmpty ? "" : " ORDER BY \(numbers)")"
    } body: { (statement) throws(PersistenceError) in
      var reader = TermReader(statement, terms, of: entity)
      var groups: [(key: (repeat each Key), value: (repeat each Value))] = []
      while try statement.step() {
        reader.beginRow()
        let key = (repeat try reader.next((each Key).self))
        groups.append((key: key, value: (repeat try reader.next((each Value).self))))
      }
      return groups
    }
  }

  /// Calculates a value from all objects that a request describes.
  ///
  /// ```swift
  /// let views = try objects.aggregate(over: FetchDescriptor(Movie.self)) { $0.sum { $0.views } }
  /// ```
  ///
  /// For several values in one statement, call ``groups(in:by:having:of:)`` with no key: `by: { _ in () }`.
  ///
  /// - Throws: The same errors as ``groups(in:by:having:of:)``.
  public func aggregate<Object: ManagedObject, Value: QueryValue>(
    over request: FetchDescriptor<Object>, _ value: (GroupedRows<Object>) -> Term<Object, Value>
  ) throws(PersistenceError) -> Value {
    // Without a key there is exactly one group, even of no objects.
    try groups(in: request, by: { _ in () }, of: { value($0) })[0].value
  }
}
