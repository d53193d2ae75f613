public import Persistence

extension ObjectSpace {
  /// Runs a closure, and throws an error if the closure sends more queries to the store than `limit` allows.
  ///
  /// Use this method to detect objects that are fetched one by one, for example in a loop over a relationship.
  ///
  /// ```swift
  /// try await context.perform { objects in
  ///   try objects.expectQueries(atMost: 2) {
  ///     for director in try objects.fetch(Director.self) {
  ///       print(director.films.map(\.title))
  ///     }
  ///   }
  /// }
  /// ```
  ///
  /// - Throws: ``QueryBudgetError``, or the error that the closure throws.
  public func expectQueries<Result>(atMost limit: Int, _ body: () throws -> Result) throws -> Result {
    let (before, fetchesBefore) = (queryCount, relationshipFetches)
    let result = try body()
    let count = queryCount - before
    guard count <= limit else {
      var fetches = relationshipFetches
      for (relationship, number) in fetchesBefore { fetches[relationship, default: 0] -= number }
      throw QueryBudgetError(limit: limit, count: count, relationships: fetches.filter { $0.value > 0 })
    }
    return result
  }
}
