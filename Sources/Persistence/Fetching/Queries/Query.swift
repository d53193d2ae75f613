public import Foundation

/// A condition on the objects of a class, written with key paths.
///
/// ```swift
/// let fargo = try objects.fetch(Movie.self, where: \.kind == .film && \.title == "Fargo")
/// let nineties = try objects.fetch(Movie.self, where: .isIn(\.year, 1990...1999) && !(\.rating == nil))
/// let ours = try objects.fetch(
///   Movie.self, where: .any(\.familyMembers, \.name == "Ann") || .folded(\.title, contains: "cafe"))
/// ```
///
/// The store evaluates a query, using indexes where they exist. ``matches(_:)`` evaluates it for an object in memory,
/// with the same meaning. Conditions are true or false, never unknown: nil equals nil, is neither less nor greater than
/// anything, and contains nothing. Strings are equal if their UTF-8 bytes are equal, and are ordered by these bytes.
///
/// Creating a query costs about ten nanoseconds per clause. A query that is not supported, for example because it
/// refers to a property that is not stored, fails with ``PersistenceError/unsupportedQuery(_:)`` before anything is
/// fetched. So does a query with more than 400 levels, such as one that is built by a loop that adds a clause in each
/// iteration. Use `isIn` instead, which accepts thousands of values.
public struct Query<Root: ManagedObject>: Sendable {
  let expression: QueryExpression
  /// The number of levels in the expression. A relationship counts as four, because its members need more of the stack.
  let depth: Int

  init(_ expression: QueryExpression, depth: Int = 1) {
    self.expression = depth <= UnsupportedQueryError.maximumDepth ? expression : .unsupportedQuery(.tooDeep)
    self.depth = depth <= UnsupportedQueryError.maximumDepth ? depth : 1
  }

  /// Creates a query from a Foundation predicate.
  ///
  /// A part that cannot be translated causes an error when the query is used. `Docs/Predicates.md` lists these parts.
  public init(_ predicate: Predicate<Root>) { self.init(PredicateTranslator.expression(of: predicate)) }

  /// A condition that is true if the property is true, as in `.is(\.seen)`.
  public static func `is`(_ path: any KeyPath<Root, Bool> & Sendable) -> Query {
    Query(.equal(.property(path, of: 0), .truth(true)))
  }

  /// Matches all objects.
  public static var all: Query { Query(.truth(true)) }

  /// Matches no object.
  public static var none: Query { Query(.truth(false)) }
}

extension Query {
  /// A condition that is true if both operands are true.
  public static func && (left: Query, right: Query) -> Query {
    Query(.and(left.expression, right.expression), depth: max(left.depth, right.depth) + 1)
  }

  /// A condition that is true if at least one of the operands is true.
  public static func || (left: Query, right: Query) -> Query {
    Query(.or(left.expression, right.expression), depth: max(left.depth, right.depth) + 1)
  }

  /// A condition that is true if the operand is false.
  public static prefix func ! (query: Query) -> Query { Query(.not(query.expression), depth: query.depth + 1) }

  /// Returns whether an object of a context matches the condition. Unsaved changes to the object are included.
  ///
  /// The store is accessed only for relationships whose members are not in memory.
  /// - Throws: ``PersistenceError/unsupportedQuery(_:)`` if the query is not supported.
  public func matches(_ object: Root) throws(PersistenceError) -> Bool {
    var evaluator = Evaluator(object)
    do { return try evaluator.isTrue(expression) } catch { throw .unsupportedQuery(error) }
  }
}
