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
/// It is answered by the store, with indexes where there are any, and ``matches(_:)`` answers it for an object in
/// memory with the same meaning. Conditions are true or false, never unknown: nil equals nil, is neither less nor
/// greater than anything, and contains nothing. Texts are the same if their UTF-8 bytes are, and come in the order of
/// these.
///
/// Making one costs some ten nanoseconds for each clause. A query that cannot be answered, for instance because it
/// leads to a property that is not stored, is refused with ``PersistenceError/refused(_:)`` before anything is fetched.
/// So is one of more than 400 levels, as a loop makes them that adds a clause each time: `isIn` takes thousands of
/// values.
public struct Query<Root: ManagedObject>: Sendable {
  let expression: Expression
  /// How many levels the expression has. Members of relationships count for four, as they need more of the stack.
  let depth: Int

  init(_ expression: Expression, depth: Int = 1) {
    self.expression = depth <= QueryRefusal.maximumDepth ? expression : .refused(.tooDeep)
    self.depth = depth <= QueryRefusal.maximumDepth ? depth : 1
  }

  /// The same condition as a Foundation predicate.
  ///
  /// What cannot be translated is kept, and refused when the query is used; `Docs/Predicates.md` lists it.
  public init(_ predicate: Predicate<Root>) { self.init(PredicateTranslator.expression(of: predicate)) }

  /// Whether the property is true: `.is(\.seen)`.
  public static func `is`(_ path: any KeyPath<Root, Bool> & Sendable) -> Query {
    Query(.equal(.property(path, of: 0), .truth(true)))
  }

  /// All objects.
  public static var all: Query { Query(.truth(true)) }

  /// No object.
  public static var none: Query { Query(.truth(false)) }
}

extension Query {
  /// Both.
  public static func && (left: Query, right: Query) -> Query {
    Query(.and(left.expression, right.expression), depth: max(left.depth, right.depth) + 1)
  }

  /// One of the two, or both.
  public static func || (left: Query, right: Query) -> Query {
    Query(.or(left.expression, right.expression), depth: max(left.depth, right.depth) + 1)
  }

  /// Not this.
  public static prefix func ! (query: Query) -> Query { Query(.not(query.expression), depth: query.depth + 1) }

  /// Whether an object of a context fulfils the condition as it is now, saved or not.
  ///
  /// Nothing is asked of the store, save for relationships whose members are not in memory.
  /// - Throws: ``PersistenceError/refused(_:)`` if the query cannot be answered.
  public func matches(_ object: Root) throws(PersistenceError) -> Bool {
    var evaluator = Evaluator(object)
    do { return try evaluator.isTrue(expression) } catch { throw .refused(error) }
  }
}
