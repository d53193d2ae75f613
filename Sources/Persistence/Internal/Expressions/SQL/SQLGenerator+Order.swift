extension SQLGenerator {
  /// A term of ORDER BY.
  mutating func order<Object: ManagedObject>(by sort: Sort<Object>) throws(UnsupportedQueryError) -> String {
    try attribute(sort.keyPath).sql + (sort.isDescending ? " DESC" : "")
  }

  /// The column of an attribute, or of the id.
  mutating func attribute(_ path: any PropertyPath) throws(UnsupportedQueryError) -> SQLFragment {
    let fragment = try value(.property(path, of: 0))
    guard case .value = fragment.kind else { throw UnsupportedQueryError(path.queryDescription, "is a relationship") }
    return fragment
  }
}
