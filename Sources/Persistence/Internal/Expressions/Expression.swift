/// A key path that may cross threads, as those of literals do.
typealias PropertyPath = AnyKeyPath & Sendable

/// What a query asks, whichever front end it was written with. Both back ends, ``SQLGenerator`` and ``Evaluator``, give
/// it the same meaning.
///
/// Truth is two-valued: a comparison with nil is true or false, never unknown. Objects, and what an Optional holds, are
/// named by how many scopes they lie further out: 0 is the innermost one. The outermost is the object asked about.
enum Expression: Sendable {
  case value(StoredValue)
  case truth(Bool)
  /// The object, or the value, of a scope.
  case scope(Int)
  /// A property of a scope's object.
  case property(any PropertyPath, of: Int)
  /// A property of the object that an expression leads to.
  indirect case member(Expression, any PropertyPath)
  /// The first in a relationship's order of the members that are scope 0 of the second and make it true.
  indirect case first(in: Expression, where: Expression)

  /// Whether both are the same; nil is the same as nil.
  indirect case equal(Expression, Expression)
  indirect case ordered(Expression, Order, Expression)
  indirect case isIn(Expression, [StoredValue])
  indirect case text(Expression, TextMatch, Expression)
  indirect case and(Expression, Expression)
  indirect case or(Expression, Expression)
  indirect case not(Expression)

  indirect case arithmetic(Expression, Arithmetic, Expression)
  /// The number of characters of a text.
  indirect case length(Expression)
  indirect case conditional(Expression, then: Expression, otherwise: Expression)
  indirect case coalesced(Expression, Expression)
  /// nil if the first is nil; else the second, where the first is scope 0.
  indirect case present(Expression, then: Expression)

  /// Whether a relationship has a member, scope 0, for which the second is true.
  indirect case exists(in: Expression, where: Expression)
  /// How many members, each being scope 0, there are for which the second is true.
  indirect case count(of: Expression, where: Expression)

  /// A part that a front end could not translate.
  case refused(QueryRefusal)
}

extension Expression {
  enum Order: String, Sendable {
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
  }

  enum Arithmetic: String, Sendable {
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
    case remainder = "%"
  }

  /// Whether the value is always true or false, and not merely a number that stands for it.
  var isCondition: Bool {
    switch self {
    case .truth, .equal, .ordered, .isIn, .text, .and, .or, .not, .exists: true
    case .conditional(_, let then, let otherwise): then.isCondition && otherwise.isCondition
    case .coalesced(let first, let second): first.isCondition && second.isCondition
    default: false
    }
  }
}

/// The ways to compare texts. The folding ones disregard case and diacritics, see ``TextFolding``; the others compare
/// UTF-8 bytes.
enum TextMatch: Sendable {
  case contains, begins, ends
  case foldedContains, foldedBegins, foldedEnds, foldedEquals, foldedLike
}
