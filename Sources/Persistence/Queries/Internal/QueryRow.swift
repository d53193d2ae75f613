/// What a query reads of a row: of an object in memory, or of the values of a changed row.
protocol QueryRow {
  var rowID: Int64 { get }

  /// Throws if the key path names no property that the row knows.
  func answer(at path: AnyKeyPath) throws(UnsupportedQueryError) -> QueryAnswer
}

/// A value, a related row, or the members of a to-many relationship. Where there is no related row, it is null.
enum QueryAnswer {
  case value(StoredValue)
  case row(any QueryRow)
  case members(ContiguousArray<ManagedObject>)

  static func truth(_ truth: Bool) -> QueryAnswer { .value(.integer(truth ? 1 : 0)) }

  var isNil: Bool { if case .value(let value) = self { value.isNull } else { false } }
}
