public import Persistence

extension ObjectSpace {
  /// Runs the closure, and throws if it sent more queries to the store than it should: objects that are fetched one by
  /// one, for instance in a loop over a relationship, are found that way.
  ///
  /// ```swift
  /// try await context.perform { objects in
  ///   try objects.expectQueries(atMost: 2) {
  ///     for director in try objects.fetch(Director.self) { print(director.films.map(\.title)) }
  ///   }
  /// }
  /// ```
  ///
  /// - Throws: ``TooManyQueries``, or what the closure throws.
  public func expectQueries<Result>(atMost limit: Int, _ body: () throws -> Result) throws -> Result {
    let (before, fetchesBefore) = (queryCount, relationshipFetches)
    let result = try body()
    let count = queryCount - before
    guard count <= limit else {
      var fetches = relationshipFetches
      for (relationship, number) in fetchesBefore { fetches[relationship, default: 0] -= number }
      throw TooManyQueries(limit: limit, count: count, relationships: fetches.filter { $0.value > 0 })
    }
    return result
  }
}
