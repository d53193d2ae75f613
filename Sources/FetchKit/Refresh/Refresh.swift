/// Updates many things, a few at a time, and says what came of it.
///
/// ```swift
/// let refresh = Refresh { $0.budget = .seconds(25) }
/// let report = await refresh.run(movies) { movie in
///   let rating = try await client.fetch(MovieDB.movie(id: movie.remoteID), .json(Double.self, at: "vote_average"))
///   return try await store(rating, for: movie) ? .changed : .unchanged
/// }
/// report.result      // .newData, .noData or .failed
/// ```
///
/// There are two styles with the same outcome: `run` works in structured tasks, ``enqueue(_:on:update:completion:)``
/// with operations, for programs that order their work in an `OperationQueue`.
///
/// One item that fails does not stop the others. Unlike in the usual tutorial, a refresh in which nothing changed and
/// something failed is `.failed`, not `.noData`: nobody knows whether there was something new.
public struct Refresh: Sendable {
  /// What the update of one item came to, if it did not throw.
  public enum Change: Sendable, Hashable {
    /// There was something new, and it has been taken over.
    case changed
    /// All is as it was.
    case unchanged
  }

  /// How many items are updated at a time; at least 1 is used.
  public var concurrency = 4
  /// How long all of it may take; nil for no limit. What is not done by then is cancelled and counted as such.
  public var budget: Duration?
  /// The clock that measures the budget.
  public var clock: any Clock<Duration> = ContinuousClock()

  /// A refresh, configured in the closure.
  public init(_ configure: (inout Refresh) -> Void = { _ in }) {
    configure(&self)
  }

  /// Updates every item of a collection.
  ///
  /// Cancelling the task cancels the updates under way, begins no more, and counts both as cancelled. The report waits
  /// for every update that has begun: one that ignores cancellation delays it.
  ///
  /// - Parameters:
  ///   - items: What to update.
  ///   - update: Called once per item, from several tasks at a time.
  public func run<Item: Sendable>(
    _ items: some Collection<Item> & Sendable, update: @escaping @Sendable (Item) async throws -> Change
  ) async -> RefreshReport<Item> {
    await run(listing: { items }, update: update)
  }

  /// Reads the list of items, within the budget too, and updates each of them.
  ///
  /// - Parameters:
  ///   - list: Called once. What it throws ends the refresh as failed and is in ``RefreshReport/listError``.
  ///   - update: Called once per item, from several tasks at a time.
  public func run<Item: Sendable, Items: Collection<Item> & Sendable>(
    listing list: @escaping @Sendable () async throws -> Items,
    update: @escaping @Sendable (Item) async throws -> Change
  ) async -> RefreshReport<Item> {
    guard let budget else { return await runToTheEnd(list, update).finished(isOutOfTime: false) }
    return await withTaskGroup(of: RefreshTally<Item>?.self) { group in
      group.addTask { await runToTheEnd(list, update) }
      group.addTask { [clock] in
        try? await clock.sleep(for: budget)
        return nil
      }
      var isOutOfTime = false
      for await tally in group {
        group.cancelAll()
        if let tally { return tally.finished(isOutOfTime: isOutOfTime) }
        // The sleep ended first: the budget is over, unless the whole refresh was cancelled and the sleep with it.
        isOutOfTime = !Task.isCancelled
      }
      return RefreshReport()
    }
  }

  /// Updates every item and hands the report to a completion handler.
  ///
  /// - Parameters:
  ///   - items: What to update.
  ///   - update: Called once per item, from several tasks at a time.
  ///   - completion: Called exactly once, on every path, in its own isolation.
  /// - Returns: The task, to cancel it; the completion handler is called then too.
  @discardableResult
  public func run<Item: Sendable>(
    _ items: some Collection<Item> & Sendable, update: @escaping @Sendable (Item) async throws -> Change,
    completion: @escaping @isolated(any) @Sendable (RefreshReport<Item>) -> Void
  ) -> Task<Void, Never> {
    run(listing: { items }, update: update, completion: completion)
  }

  /// Reads the list of items, updates each of them, and hands the report to a completion handler.
  ///
  /// - Parameters:
  ///   - list: Called once. What it throws is in ``RefreshReport/listError``.
  ///   - update: Called once per item, from several tasks at a time.
  ///   - completion: Called exactly once, on every path, in its own isolation.
  /// - Returns: The task, to cancel it; the completion handler is called then too.
  @discardableResult
  public func run<Item: Sendable, Items: Collection<Item> & Sendable>(
    listing list: @escaping @Sendable () async throws -> Items,
    update: @escaping @Sendable (Item) async throws -> Change,
    completion: @escaping @isolated(any) @Sendable (RefreshReport<Item>) -> Void
  ) -> Task<Void, Never> {
    Task { await completion(run(listing: list, update: update)) }
  }
}
