/// A piece of SQL with the properties of its value.
struct SQLFragment {
  enum Kind {
    case value
    /// 1 or 0. NULL counts as 0.
    case condition
    /// The id of an object of this class.
    case object(Entity)
    /// A to-many relationship. The SQL is the owner's id.
    case members(Relationship)
  }

  var sql: String
  var kind: Kind
  var isNullable: Bool
  /// The scopes that make a value NULL, or a condition not true, if one of them is nil.
  var failing: Set<Int> = []

  init(_ sql: String, _ kind: Kind, isNullable: Bool, failing: Set<Int> = []) {
    self.sql = sql
    self.kind = kind
    self.isNullable = isNullable
    self.failing = failing
  }

  static func condition(_ sql: String, isNullable: Bool, failing: Set<Int> = []) -> SQLFragment {
    SQLFragment(sql, .condition, isNullable: isNullable, failing: failing)
  }

  static let never = SQLFragment.condition("0", isNullable: false)

  var isCondition: Bool { if case .condition = kind { true } else { false } }

  /// The SQL as a value: a condition that is NULL becomes 0.
  var total: String {
    guard isCondition else { return sql }
    return isNullable ? "((\(sql)) IS TRUE)" : "(\(sql))"
  }
}
