public import Foundation

extension Refresh {
  /// Updates every item of a collection, each by an operation of its own.
  ///
  /// ```swift
  /// let refresh = Refresh { $0.budget = .seconds(25) }
  /// let updates = refresh.enqueue(movies, on: queue) { movie in
  ///   try await updateRating(of: movie) ? .changed : .unchanged
  /// } completion: { @MainActor report in
  ///   completionHandler(report.result)
  /// }
  /// tidyUp.addDependency(updates.completion)
  /// ```
  ///
  /// - Parameters:
  ///   - items: What to update.
  ///   - queue: Where the operations go; its limit takes the place of ``concurrency``. A queue of its own with that
  ///     limit where it is nil. Cancelling the queue's operations cancels the updates, never the completion.
  ///   - update: Called once per item, from several tasks at a time.
  ///   - completion: Called exactly once, on every path, in its own isolation.
  /// - Returns: The operations, to cancel them and to wait for them.
  @discardableResult
  public func enqueue<Item: Sendable>(
    _ items: some Collection<Item> & Sendable, on queue: OperationQueue? = nil,
    update: @escaping @Sendable (Item) async throws -> Change,
    completion: @escaping @isolated(any) @Sendable (RefreshReport<Item>) -> Void
  ) -> RefreshOperations<Item> {
    enqueue(listing: { items }, on: queue, update: update, completion: completion)
  }

  /// Reads the list of items by an operation, within the budget too, and updates each by another.
  ///
  /// - Parameters:
  ///   - list: Called once, or not at all when the operations are cancelled before. What it throws ends the refresh as
  ///     failed and is in ``RefreshReport/listError``.
  ///   - queue: Where the operations go; its limit takes the place of ``concurrency``. A queue of its own with that
  ///     limit where it is nil.
  ///   - update: Called once per item, from several tasks at a time.
  ///   - completion: Called exactly once, on every path, in its own isolation.
  /// - Returns: The operations, to cancel them and to wait for them.
  @discardableResult
  public func enqueue<Item: Sendable, Items: Collection<Item> & Sendable>(
    listing list: @escaping @Sendable () async throws -> Items, on queue: OperationQueue? = nil,
    update: @escaping @Sendable (Item) async throws -> Change,
    completion: @escaping @isolated(any) @Sendable (RefreshReport<Item>) -> Void
  ) -> RefreshOperations<Item> {
    let own = OperationQueue()
    own.maxConcurrentOperationCount = max(1, concurrency)
    let operations = RefreshOperations(update, completion)
    operations.begin(list, on: queue ?? own, within: budget, on: clock)
    return operations
  }
}
