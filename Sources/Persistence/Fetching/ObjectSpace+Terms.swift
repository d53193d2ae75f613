/// Methods that fetch values of terms: attributes, those of related objects, counts and other calculated values.
extension ObjectSpace {
  /// Fetches one value for each object that a request describes, in the request's order, without instantiating the
  /// objects.
  ///
  /// ```swift
  /// let request = FetchDescriptor(Movie.self, sort: [.ascending { $0.director.name }])
  /// let names = try objects.values(in: request) { $0.director.name.optional }
  /// ```
  ///
  /// - Throws: ``PersistenceError/unsupportedQuery(_:)`` if a term cannot be calculated, or if a term that is not
  ///   optional could be nil; ``PersistenceError/notUnique(_:)`` if a term depends on a unique attribute for which two
  ///   objects currently have the same value; ``PersistenceError/invalidValue(_:)`` if a value does not have the term's
  ///   type.
  public func values<Object: ManagedObject, Value: QueryValue>(
    in request: FetchDescriptor<Object>, of term: (Row<Object>) -> Term<Object, Value>
  ) throws(PersistenceError) -> [Value] {
    try values(in: request, [SelectedTerm.one(term)]) { (reader) throws(PersistenceError) in
      try reader.next(Value.self)
    }
  }

  /// Fetches a tuple of values for each object that a request describes, in the request's order, without instantiating
  /// the objects.
  ///
  /// ```swift
  /// let request = FetchDescriptor(Movie.self, where: { $0.seen }, sort: [.ascending(\.title)])
  /// let rows = try objects.values(in: request) { ($0.title, $0.rating, $0.director.name ?? "unknown") }
  /// ```
  ///
  /// This method runs a single statement, no matter how many terms the closure returns. Each related object is looked
  /// up only once, even if several of its attributes are fetched. The method throws the same errors as the variant that
  /// fetches a single value.
  public func values<Object: ManagedObject, each Value: QueryValue>(
    in request: FetchDescriptor<Object>, of terms: (Row<Object>) -> (repeat Term<Object, each Value>)
  ) throws(PersistenceError) -> [(repeat each Value)] {
    try values(in: request, SelectedTerm.all(terms)) { (reader) throws(PersistenceError) in
      (repeat try reader.next((each Value).self))
    }
  }

  private func values<Object: ManagedObject, Result>(
    in request: FetchDescriptor<Object>, _ terms: [SelectedTerm],
    _ make: (inout TermReader) throws(PersistenceError) -> Result
  ) throws(PersistenceError) -> [Result] {
    let entity = try registry(of: Object.self).entity
    return try select(terms, in: request) { plan, generator, columns in
      "SELECT \(columns.isEmpty ? "NULL" : columns.joined(separator: ","))\(plan.keys)\(plan.ordered(for: generator))"
    } body: { (statement) throws(PersistenceError) in
      var reader = TermReader(statement, terms, of: entity)
      var values: [Result] = []
      while try statement.step() {
        reader.beginRow()
        values.append(try make(&reader))
      }
      return values
    }
  }

  /// Fetches the objects that a request describes, together with the value of a term for each object, in one statement.
  ///
  /// ```swift
  /// let request = FetchDescriptor(Director.self, sort: [.ascending(\.name)])
  /// let unseen = try objects.fetch(request, with: { $0.movies.count { !$0.seen } })
  /// for (director, count) in unseen { print(director.name, count) }
  /// ```
  ///
  /// This method throws the same errors as ``values(in:of:)->[Value]``.
  public func fetch<Object: ManagedObject, Value: QueryValue>(
    _ request: FetchDescriptor<Object>, with term: (Row<Object>) -> Term<Object, Value>
  ) throws(PersistenceError) -> [(object: Object, value: Value)] {
    let terms = [SelectedTerm.one(term)]
    return try objects(for: request, terms) { (object, reader) throws(PersistenceError) in
      (object: object, value: try reader.next(Value.self))
    }
  }

  /// Fetches the objects that a request describes, together with the values of several terms for each object, in one
  /// statement.
  ///
  /// ```swift
  /// let request = FetchDescriptor(Director.self, sort: [.ascending(\.name)])
  /// let rows = try objects.fetch(request, with: { ($0.movies.count, $0.movies.maximum { $0.rating }) })
  /// for (director, (count, best)) in rows { print(director.name, count, best ?? 0) }
  /// ```
  ///
  /// This method throws the same errors as ``values(in:of:)->[Value]``.
  public func fetch<Object: ManagedObject, each Value: QueryValue>(
    _ request: FetchDescriptor<Object>, with terms: (Row<Object>) -> (repeat Term<Object, each Value>)
  ) throws(PersistenceError) -> [(object: Object, values: (repeat each Value))] {
    let terms = SelectedTerm.all(terms)
    return try objects(for: request, terms) { (object, reader) throws(PersistenceError) in
      (object: object, values: (repeat try reader.next((each Value).self)))
    }
  }

  private func objects<Object: ManagedObject, Result>(
    for request: FetchDescriptor<Object>, _ terms: [SelectedTerm],
    _ make: (Object, inout TermReader) throws(PersistenceError) -> Result
  ) throws(PersistenceError) -> [Result] {
    let registry = try registry(of: Object.self)
    return try select(terms, in: request) { plan, generator, columns in
      "SELECT \(([plan.selection] + columns).joined(separator: ","))\(plan.keys)\(plan.ordered(for: generator))"
    } body: { (statement) throws(PersistenceError) in
      // After the id, the columns of the class and the version.
      var reader = TermReader(statement, terms, of: registry.entity, from: Int32(registry.entity.columns.count) + 2)
      var objects: [ManagedObject] = []
      var results: [Result] = []
      var failure: PersistenceError?
      _ = try registry.rows(of: statement) { (object: consuming ManagedObject) in
        guard failure == nil else { return }
        let object = object
        objects.append(object)
        reader.beginRow()
        do throws(PersistenceError) {
          results.append(try make(unsafeDowncast(object, to: Object.self), &reader))
        } catch {
          failure = error
        }
      }
      if let failure { throw failure }
      together.add(objects, of: registry.entity, batchSize: request.batchSize)
      if !request.prefetched.isEmpty {
        try prefetch(request.prefetched, of: objects.map { unsafeDowncast($0, to: Object.self) }, registry)
      }
      return results
    }
  }
}
