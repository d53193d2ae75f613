/// A refresh that updates many items, a few at a time, and returns a report.
///
/// ```swift
/// let refresh = Refresh { $0.budget = .seconds(25) }
/// let report = await refresh.run(movies) { movie in
///   let rating = try await client.fetch(
///     MovieDB.movie(id: movie.remoteID), .json(Double.self, at: "vote_average"))
///   return try await store(rating, for: movie) ? .changed : .unchanged
/// }
/// report.result  // .newData, .noData or .failed
/// ```
///
/// You can run a refresh in two ways, which produce the same result. `run` uses structured tasks.
/// ``enqueue(_:on:update:completion:)`` uses operations, for programs that schedule their work in an `OperationQueue`.
///
/// A failed item does not prevent the other items from being updated. If nothing changed and an item failed, the result
/// is `.failed`, because the failed item might have had new data. Many tutorials report `.noData` in this case.
public struct Refresh: Sendable {
  /// The result of updating one item, if the update did not throw an error.
  public enum Change: Sendable, Hashable {
    /// There was new data, and it has been stored.
    case changed
    /// Nothing has changed.
    case unchanged
  }

  /// The maximum number of items that are updated at the same time. Values below 1 count as 1.
  public var maxConcurrentItems = 4
  /// The time budget for the whole refresh, or nil for no limit. Items that have not been updated when the budget runs
  /// out are cancelled and counted as cancelled.
  public var budget: Duration?
  /// The clock that measures the budget.
  public var clock: any Clock<Duration> = ContinuousClock()

  /// Creates a refresh. The closure can set its properties.
  public init(_ configure: (inout Refresh) -> Void = { _ in }) {
    configure(&self)
  }

  /// Updates every item of a collection.
  ///
  /// If the task is cancelled, the updates in progress are cancelled and no more updates start. Items that have not
  /// been updated count as cancelled. The method returns only when all updates in progress have ended, so an update
  /// that ignores cancellation delays the report.
  ///
  /// - Parameters:
  ///   - items: The items to update.
  ///   - update: A function that updates one item. It is called once per item, from several tasks at the same time.
  public func run<Item: Sendable>(
    _ items: some Collection<Item> & Sendable, update: @escaping @Sendable (Item) async throws -> Change
  ) async -> RefreshReport<Item> {
    await run(listing: { items }, update: update)
  }

  /// Loads a list of items and updates each item. The time spent loading the list counts toward the budget.
  ///
  /// - Parameters:
  ///   - list: A function that loads the list. It is called once. If it throws an error, the refresh fails, and the
  ///     error is available in ``RefreshReport/listError``.
  ///   - update: A function that updates one item. It is called once per item, from several tasks at the same time.
  public func run<Item: Sendable, Items: Collection<Item> & Sendable>(
    listing list: @escaping @Sendable () async throws -> Items,
    update: @escaping @Sendable (Item) async throws -> Change
  ) async -> RefreshReport<Item> {
    guard let budget else { return await runAll(list, update).finished(isTimedOut: false) }
    return await withTaskGroup(of: RefreshTally<Item>?.self) { group in
      group.addTask { await runAll(list, update) }
      group.addTask { [clock] in
        try? await clock.sleep(for: budget)
        return nil
      }
      var isTimedOut = false
      for await tally in group {
        group.cancelAll()
        if let tally { return tally.finished(isTimedOut: isTimedOut) }
        // The sleep ended first: the budget ran out, unless the whole refresh was cancelled and the sleep with it.
        isTimedOut = !Task.isCancelled
      }
      return RefreshReport()
    }
  }

  /// Updates every item and passes the report to a completion handler.
  ///
  /// - Parameters:
  ///   - items: The items to update.
  ///   - update: A function that updates one item. It is called once per item, from several tasks at the same time.
  ///   - completion: A closure that is called exactly once, regardless of the outcome, in its own isolation.
  /// - Returns: The task that runs the refresh. If you cancel it, the completion handler is still called.
  @discardableResult
  public func run<Item: Sendable>(
    _ items: some Collection<Item> & Sendable, update: @escaping @Sendable (Item) async throws -> Change,
    completion: @escaping @isolated(any) @Sendable (RefreshReport<Item>) -> Void
  ) -> Task<Void, Never> {
    run(listing: { items }, update: update, completion: completion)
  }

  /// Loads a list of items, updates each item and passes the report to a completion handler.
  ///
  /// - Parameters:
  ///   - list: A function that loads the list. It is called once. If it throws an error, the error is available in
  ///     ``RefreshReport/listError``.
  ///   - update: A function that updates one item. It is called once per item, from several tasks at the same time.
  ///   - completion: A closure that is called exactly once, regardless of the outcome, in its own isolation.
  /// - Returns: The task that runs the refresh. If you cancel it, the completion handler is still called.
  @discardableResult
  public func run<Item: Sendable, Items: Collection<Item> & Sendable>(
    listing list: @escaping @Sendable () async throws -> Items,
    update: @escaping @Sendable (Item) async throws -> Change,
    completion: @escaping @isolated(any) @Sendable (RefreshReport<Item>) -> Void
  ) -> Task<Void, Never> {
    Task { await completion(run(listing: list, update: update)) }
  }
}
