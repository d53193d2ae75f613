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
/// To use a condition in several places, store it in a constant: `let recent = Query<Movie> { $0.year > 1990 }`. You
/// can pass a stored condition as the `matching:` argument, or use it as part of another condition.
///
/// When the store evaluates a query, it can use any available index. ``Term/matches(_:)-(Root)`` evaluates a query for
/// an object in memory, by the same rules as the store. Unlike in SQL, a condition is always true or false, never
/// unknown: nil equals nil, is neither less than nor greater than any value, and contains nothing. Strings are equal if
/// their UTF-8 bytes are equal, and are ordered by those bytes.
///
/// Creating a query takes about 0.2 µs per clause. A query that is not supported, for example because it refers to a
/// property that is not stored, fails with ``PersistenceError/unsupportedQuery(_:)`` before anything is fetched. A
/// query with more than 400 levels of nesting, for example because a loop adds a clause in each iteration, fails with
/// the same error. To compare a property with many values, use `isIn`, which accepts thousands of values, instead of a
/// loop.
public typealias Query<Root: ManagedObject> = Term<Root, Bool>

extension Term where Value == Bool {
  /// Creates a query that can be stored and used in several places, as in `Query<Movie> { $0.year > 1990 }`.
  @inlinable public init(_ condition: (Row<Root>) -> Query<Root>) {
    self.init(ScopedExpression.condition { condition(Row(_number: $0)).scoped })
  }

  /// Creates a query from a Foundation predicate.
  ///
  /// If part of the predicate cannot be translated, any method that uses the query throws
  /// ``PersistenceError/unsupportedQuery(_:)``. `Docs/Predicates.md` in the repository lists what cannot be translated.
  public init(_ predicate: Predicate<Root>) {
    self.init(ScopedExpression(PredicateTranslator.expression(of: predicate)))
  }

  /// A condition that matches all objects.
  public static var all: Query<Root> { Query(ScopedExpression(.truth(true))) }

  /// A condition that matches no objects.
  public static var none: Query<Root> { Query(ScopedExpression(.truth(false))) }

  /// A condition that is true if both operands are true.
  @inlinable public static func && (left: Query<Root>, right: Query<Root>) -> Query<Root> {
    Query(left.scoped.and(right.scoped))
  }

  /// A condition that is true if at least one of the operands is true.
  @inlinable public static func || (left: Query<Root>, right: Query<Root>) -> Query<Root> {
    Query(left.scoped.or(right.scoped))
  }

  /// A condition that is true if the operand is false.
  @inlinable public static prefix func ! (query: Query<Root>) -> Query<Root> { Query(query.scoped.negated) }

  /// Returns whether an object in a context matches the condition. The object's unsaved changes are taken into account.
  ///
  /// This method accesses the store only if the condition uses a relationship with members that are not in memory.
  /// - Throws: ``PersistenceError/unsupportedQuery(_:)`` if the query is not supported.
  public func matches(_ object: Root) throws(PersistenceError) -> Bool {
    var evaluator = Evaluator(object)
    do { return try evaluator.isTrue(scoped.asCompleteCondition) } catch { throw .unsupportedQuery(error) }
  }
}
