public import Foundation

/// A condition on the objects of a class.
///
/// ```swift
/// let fargo = try objects.fetch(Movie.self, where: { $0.kind == .film && $0.title == "Fargo" })
/// let nineties = try objects.fetch(Movie.self, where: { $0.year.isIn(1990...1999) && $0.rating != nil })
/// let ours = try objects.fetch(
///   Movie.self, where: { $0.familyMembers.contains { $0.name == "Ann" } || $0.title.folded.contains("cafe") })
/// ```
///
/// A condition that is needed in several places can be kept in a constant: `Query<Movie> { $0.year > 1990 }`. It can be
/// passed as `matching:`, and be a part of another condition.
///
/// The store evaluates a query, using indexes where they exist. ``Term/matches(_:)`` evaluates it for an object in
/// memory, with the same meaning. Conditions are true or false, never unknown: nil equals nil, is neither less nor
/// greater than anything, and contains nothing. Strings are equal if their UTF-8 bytes are equal, and are ordered by
/// these bytes.
///
/// Creating a query costs about ten nanoseconds per clause. A query that is not supported, for example because it
/// refers to a property that is not stored, fails with ``PersistenceError/unsupportedQuery(_:)`` before anything is
/// fetched. So does a query with more than 400 levels, such as one that is built by a loop that adds a clause in each
/// iteration. Use `isIn` instead, which accepts thousands of values.
public typealias Query<Root: ManagedObject> = Term<Root, Bool>

extension Term where Value == Bool {
  /// Creates a query that can be kept and used in several places, as in `Query<Movie> { $0.year > 1990 }`.
  public init(_ condition: (Row<Root>) -> Query<Root>) { self = Row.condition(isNested: false, condition) }

  /// Creates a query from a Foundation predicate.
  ///
  /// A part that cannot be translated causes an error when the query is used. `Docs/Predicates.md` lists these parts.
  public init(_ predicate: Predicate<Root>) { self.init(PredicateTranslator.expression(of: predicate)) }

  /// Matches all objects.
  public static var all: Query<Root> { Query(.truth(true)) }

  /// Matches no object.
  public static var none: Query<Root> { Query(.truth(false)) }

  /// A condition that is true if both operands are true.
  public static func && (left: Query<Root>, right: Query<Root>) -> Query<Root> {
    left.condition(with: right) { .and($0.asCondition, $1.asCondition) }
  }

  /// A condition that is true if at least one of the operands is true.
  public static func || (left: Query<Root>, right: Query<Root>) -> Query<Root> {
    left.condition(with: right) { .or($0.asCondition, $1.asCondition) }
  }

  /// A condition that is true if the operand is false.
  public static prefix func ! (query: Query<Root>) -> Query<Root> {
    // A relationship that is not empty can then be searched from its members, like `contains`.
    if case .not(let inner) = query.expression, case .exists = inner { return query.replacing(inner) }
    return query.condition(.not(query.asCondition))
  }

  /// Returns whether an object of a context matches the condition. Unsaved changes to the object are included.
  ///
  /// The store is accessed only for relationships whose members are not in memory.
  /// - Throws: ``PersistenceError/unsupportedQuery(_:)`` if the query is not supported.
  public func matches(_ object: Root) throws(PersistenceError) -> Bool {
    var evaluator = Evaluator(object)
    do { return try evaluator.isTrue(asCompleteCondition) } catch { throw .unsupportedQuery(error) }
  }
}

extension Term where Value == Bool {
  /// The expression as a condition: an attribute is compared with true, which can use an index.
  var asCondition: QueryExpression { expression.asCondition }

  /// The expression of a query that belongs to no row.
  var asCompleteCondition: QueryExpression {
    row == .none ? asCondition : .unsupportedQuery(.outsideClosure(Root.self))
  }

  private func replacing(_ expression: QueryExpression) -> Query<Root> { Query(expression, depth: depth, row: row) }
}

extension QueryExpression {
  var asCondition: QueryExpression {
    switch self {
    case .property, .member: .equal(self, .truth(true))
    default: self
    }
  }
}
