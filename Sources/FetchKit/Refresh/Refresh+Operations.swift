public import Foundation

extension Refresh {
  /// Updates every item of a collection, with one operation per item.
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
  ///   - items: The items to update.
  ///   - queue: The queue for the operations. The queue's concurrency limit replaces ``maxConcurrentItems``. If nil, a
  ///     new queue is created with ``maxConcurrentItems`` as its limit. Cancelling the queue's operations cancels the
  ///     updates but never the completion operation.
  ///   - update: A function that updates one item. It is called once per item, from several tasks at the same time.
  ///   - completion: A closure that is called exactly once, regardless of the outcome, in its own isolation.
  /// - Returns: The operations, which you can cancel or wait for.
  @discardableResult
  public func enqueue<Item: Sendable>(
    _ items: some Collection<Item> & Sendable, on queue: OperationQueue? = nil,
    update: @escaping @Sendable (Item) async throws -> Change,
    completion: @escaping @isolated(any) @Sendable (RefreshReport<Item>) -> Void
  ) -> RefreshOperations<Item> {
    enqueue(listing: { items }, on: queue, update: update, completion: completion)
  }

  /// Loads the list of items in one operation and updates each item in its own operation. The time spent loading the
  /// list counts toward the budget.
  ///
  /// - Parameters:
  ///   - list: A function that loads the list. It is called once, or not at all if the operations are cancelled first.
  ///     If it throws an error, the refresh fails, and the error is available in ``RefreshReport/listError``.
  ///   - queue: The queue for the operations. The queue's concurrency limit replaces ``maxConcurrentItems``. If nil, a
  ///     new queue is created with ``maxConcurrentItems`` as its limit.
  ///   - update: A function that updates one item. It is called once per item, from several tasks at the same time.
  ///   - completion: A closure that is called exactly once, regardless of the outcome, in its own isolation.
  /// - Returns: The operations, which you can cancel or wait for.
  @discardableResult
  public func enqueue<Item: Sendable, Items: Collection<Item> & Sendable>(
    listing list: @escaping @Sendable () async throws -> Items, on queue: OperationQueue? = nil,
    update: @escaping @Sendable (Item) async throws -> Change,
    completion: @escaping @isolated(any) @Sendable (RefreshReport<Item>) -> Void
  ) -> RefreshOperations<Item> {
    let own = OperationQueue()
    own.maxConcurrentOperationCount = max(1, maxConcurrentItems)
    let operations = RefreshOperations(update, completion)
    operations.begin(list, on: queue ?? own, within: budget, on: clock)
    return operations
  }
}
