/// Full-text search, for classes with an attribute that is ``AttributeOption/searchable``.
extension Row {
  /// A condition that is true if the searchable attributes of the object, taken together, match a text.
  ///
  /// It can be combined with other conditions, and it finds the objects through the full-text index.
  public func matches(_ text: SearchText) -> Query<Root> {
    let object = ScopedExpression(.scope(0), depth: 0, row: _number)
    return Query(object.condition(.search(object.expression, in: nil, text).checked(text)))
  }

  /// How well the object matches a text: FTS5's bm25, which is smaller for better matches, or nil if it does not match.
  /// You can sort by it and select it.
  public func rank(for text: SearchText, weights: [SearchWeight<Root>] = []) -> Term<Root, Double?> {
    let object = ScopedExpression(.scope(0), depth: 0, row: _number)
    return Term<Root, Double?>(object.condition(.rank(of: text, weights)))
  }
}

extension Term where Value: QueryValue, Value.Unwrapped == String {
  /// A condition that is true if this attribute alone matches a text. It must be ``AttributeOption/searchable``.
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
  /// Sorts from the best match of a text to the worst, by bm25. Objects that do not match come last.
  ///
  /// - Parameters:
  ///   - text: The text to search for.
  ///   - weights: How much each searchable attribute counts, 1 by default.
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
