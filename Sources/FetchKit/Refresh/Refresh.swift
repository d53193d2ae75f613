/// A refresh that updates many items, a few at a time, and produces a report.
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
/// You can run a refresh in two ways, which produce the same report. `run` updates the items in structured tasks.
/// ``enqueue(_:on:update:completion:)`` updates the items in operations, for programs that schedule their work in an
/// `OperationQueue`.
///
/// A failed item does not prevent the other items from being updated. If an item failed and no other item changed, the
/// result is `.failed`, because the failed item might have had new data. The code in many tutorials returns
/// `.noData` in this case.
public struct Refresh: Sendable {
  /// The result of updating one item, if the update did not throw an error.
  public enum Change: Sendable, Hashable {
    /// The item had new data, which has been stored.
    case changed
    /// Nothing has changed.
    case unchanged
  }

  /// The maximum number of items that are updated at the same time. Values below 1 count as 1.
  public var maxConcurrentItems = 4
  /// The time budget for the whole refresh, or nil for no limit. When the budget runs out, the updates in progress are
  /// cancelled, and no more updates start. An item counts as cancelled if its update was cancelled or never started.
  public var budget: Duration?
  /// The clock that measures the budget.
  public var clock: any Clock<Duration> = ContinuousClock()

  /// Creates a refresh with the default settings, modified by `configure`.
  public init(_ configure: (inout Refresh) -> Void = { _ in }) {
    configure(&self)
  }

  /// Updates every item in a collection.
  ///
  /// If the calling task is cancelled, the updates in progress are cancelled, and no more updates start. An item counts
  /// as cancelled if its update was cancelled or never started. The method returns only when all updates in progress
  /// have ended, so an update that ignores cancellation delays the report.
  ///
  /// - Parameters:
  ///   - items: The items to update.
  ///   - update: A function that updates one item. The function is called at most once for each item, and several calls
  ///     can run at the same time.
  public func run<Item: Sendable>(
    _ items: some Collection<Item> & Sendable, update: @escaping @Sendable (Item) async throws -> Change
  ) async -> RefreshReport<Item> {
    await run(listing: { items }, update: update)
  }

  /// Loads a list of items and updates each item. The time spent loading the list counts toward the time budget.
  ///
  /// - Parameters:
  ///   - list: A function that is called once to load the list. If the function throws an error, the refresh fails, and
  ///     the report contains the error in ``RefreshReport/listError``.
  ///   - update: A function that updates one item. The function is called at most once for each item, and several calls
  ///     can run at the same time.
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

  /// Updates every item in a collection and passes the report to a completion handler.
  ///
  /// - Parameters:
  ///   - items: The items to update.
  ///   - update: A function that updates one item. The function is called at most once for each item, and several calls
  ///     can run at the same time.
  ///   - completion: A closure that receives the report, on the actor that it is isolated to, if any. The closure is
  ///     called exactly once, even if the refresh fails or is cancelled.
  /// - Returns: The task that runs the refresh. If you cancel this task, the completion handler is still called.
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
  ///   - list: A function that is called once to load the list. If the function throws an error, the refresh fails, and
  ///     the report contains the error in ``RefreshReport/listError``.
  ///   - update: A function that updates one item. The function is called at most once for each item, and several calls
  ///     can run at the same time.
  ///   - completion: A closure that receives the report, on the actor that it is isolated to, if any. The closure is
  ///     called exactly once, even if the refresh fails or is cancelled.
  /// - Returns: The task that runs the refresh. If you cancel this task, the completion handler is still called.
  @discardableResult
  public func run<Item: Sendable, Items: Collection<Item> & Sendable>(
    listing list: @escaping @Sendable () async throws -> Items,
    update: @escaping @Sendable (Item) async throws -> Change,
    completion: @escaping @isolated(any) @Sendable (RefreshReport<Item>) -> Void
  ) -> Task<Void, Never> {
    Task { await completion(run(listing: list, update: update)) }
  }
}
