/// Full-text search, for classes with an attribute that is ``AttributeOption/searchable``.
extension Row {
  /// A condition that is true if the object's searchable attributes, taken together, match a search text.
  ///
  /// The condition uses the full-text index to find the objects. You can combine this condition with other conditions.
  public func matches(_ text: SearchText) -> Query<Root> {
    let object = ScopedExpression(.scope(0), depth: 0, row: _number)
    return Query(object.condition(.search(object.expression, in: nil, text).checked(text)))
  }

  /// The rank of the object for a search text, or nil if the object does not match. The rank is the `bm25` value of
  /// FTS5, which is lower for better matches. You can sort by the rank or select it.
  public func rank(for text: SearchText, weights: [SearchWeight<Root>] = []) -> Term<Root, Double?> {
    let object = ScopedExpression(.scope(0), depth: 0, row: _number)
    return Term<Root, Double?>(object.condition(.rank(of: text, weights)))
  }
}

extension Term where Value: QueryValue, Value.Unwrapped == String {
  /// A condition that is true if this attribute alone matches a search text. The attribute must be
  /// ``AttributeOption/searchable``.
  public func matches(_ text: SearchText) -> Query<Root> {
    let search: QueryExpression =
      switch scoped.expression {
      case .property(let path, let scope): .search(.scope(scope), in: path, text)
      case .member(let object, let path): .search(object, in: path, text)
      default: .unsupportedQuery(UnsupportedQueryError("a search", "only an attribute can be searched"))
      }
    return Query(scoped.condition(search.checked(text)))
  }
}

extension Sort {
  /// Sorts objects by their `bm25` rank, from the best match for a search text to the worst. Objects that do not match
  /// come last.
  ///
  /// - Parameters:
  ///   - text: The text to search for.
  ///   - weights: The weight of each searchable attribute. The default weight is 1.
  public static func bestMatch(for text: SearchText, weights: [SearchWeight<Object>] = []) -> Sort {
    Sort(key: .rank(of: text, weights), isDescending: false, nulls: .last)
  }
}

extension QueryExpression {
  /// The rank of scope 0.
  fileprivate static func rank<Object>(of text: SearchText, _ weights: [SearchWeight<Object>]) -> QueryExpression {
    guard weights.allSatisfy({ $0.value.value.isFinite }) else {
      return .unsupportedQuery(UnsupportedQueryError("a weight", "it must be a finite number"))
    }
    return .rank(.scope(0), text, weights.map(\.value)).checked(text)
  }

  fileprivate func checked(_ text: SearchText) -> QueryExpression {
    text.isInvalid ? .unsupportedQuery(.invalidSearch) : self
  }
}

extension UnsupportedQueryError {
  static let invalidSearch = UnsupportedQueryError("a search text", "an expression cannot contain a NUL")
}
