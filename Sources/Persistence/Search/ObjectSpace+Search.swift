/// Full-text search in attributes that are ``AttributeOption/searchable``. Unsaved changes are included.
extension ObjectSpace {
  /// Fetches the objects that match typed text, from the best match to the worst.
  ///
  /// ```swift
  /// let found = try objects.search(
  ///   Article.self, typed, where: { $0.year > 1990 }, limit: 50)
  /// ```
  ///
  /// An object matches if its searchable attributes contain every word in the text. The last word also matches the
  /// beginning of a longer word. Quotation marks group words into phrases, as ``SearchText/init(_:completesLastWord:)``
  /// describes. Because every match is ranked, the search time grows with the number of matches.
  public func search<Object: ManagedObject>(
    _ type: Object.Type, _ typed: String, weights: [SearchWeight<Object>] = [],
    where condition: (Row<Object>) -> Query<Object> = { _ in .all }, limit: Int? = nil
  ) throws(PersistenceError) -> [Object] {
    try search(type, SearchText(typed), weights: weights, where: condition, limit: limit)
  }

  /// Fetches the objects that match a search text, from the best match to the worst.
  ///
  /// - Throws: ``PersistenceError/unsupportedQuery(_:)`` if the class has no searchable attributes, or if the search
  ///   text was created from an invalid expression.
  public func search<Object: ManagedObject>(
    _ type: Object.Type, _ text: SearchText, weights: [SearchWeight<Object>] = [],
    where condition: (Row<Object>) -> Query<Object> = { _ in .all }, limit: Int? = nil
  ) throws(PersistenceError) -> [Object] {
    try fetch(FetchDescriptor(type, searching: text, weights: weights, where: condition, limit: limit))
  }

  /// Returns the text of an attribute, with the ranges of the text that match a search. If the object does not match,
  /// the result contains no ranges.
  ///
  /// ```swift
  /// for article in try objects.search(Article.self, text) {
  ///   print(try objects.highlights(of: text, in: article, \.body).snippet().text)
  /// }
  /// ```
  ///
  /// Each call runs one statement, so call this method only for objects that are visible on the screen.
  public func highlights<Object: ManagedObject>(
    of text: SearchText, in object: Object, _ path: any KeyPath<Object, String> & Sendable
  ) throws(PersistenceError) -> HighlightedText {
    let marked = try marked(text, in: object, path)
    return HighlightedText(object[keyPath: path], marked: marked)
  }

  /// Returns the text of an optional attribute, with the ranges of the text that match a search. Nil is treated as an
  /// empty string.
  public func highlights<Object: ManagedObject>(
    of text: SearchText, in object: Object, _ path: any KeyPath<Object, String?> & Sendable
  ) throws(PersistenceError) -> HighlightedText {
    let marked = try marked(text, in: object, path)
    return HighlightedText(object[keyPath: path] ?? "", marked: marked)
  }

  /// The folded text with marks around the matches, or nil if the object does not match.
  private func marked<Object: ManagedObject>(
    _ text: SearchText, in object: Object, _ path: any PropertyPath
  ) throws(PersistenceError) -> String? {
    if text.isInvalid { throw .unsupportedQuery(.invalidSearch) }
    let registry = try registry(of: Object.self)
    guard object._registry === registry, !object.isDeleted else { throw .foreignObject(type: registry.entity.name) }
    guard let search = registry.entity.searchTable, case .attribute(let slot) = registry.entity.property(at: path),
      let column = registry.entity.searchSlots.firstIndex(of: slot)
    else {
      throw .unsupportedQuery(.unknown(path, in: registry.entity, "a searchable attribute"))
    }
    return try reading { () throws(PersistenceError) in
      var index = search.name
      if let pending = try beginQuery(isSearch: true)[registry.entity], let search = pending.search {
        let row = try connection.statement("SELECT 1 FROM \(pending.rows) WHERE \(pending.key)=?1")
        try row.bind([.integer(object._id)])
        if try row.integer() != nil { index = search.name }
      }
      let statement = try connection.statement(
        "SELECT highlight(\(index),\(column),char(1),char(2)) FROM \(index) WHERE rowid=?1 AND \(index) MATCH ?2")
      try statement.bind([.integer(object._id), .text(text.match)])
      defer { statement.reset() }
      guard try statement.step(), case .text(let marked) = statement.value(0) else { return nil }
      return marked
    }
  }
}
