public import Foundation

extension Refresh {
  /// Updates every item in a collection, with one operation per item.
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
  ///   - queue: The queue to which the operations are added. The queue's concurrency limit applies instead of
  ///     ``maxConcurrentItems``. If nil, a new queue is created with ``maxConcurrentItems`` as its concurrency limit.
  ///     Cancelling all operations in the queue cancels the updates but not the completion operation.
  ///   - update: A function that updates one item. The function is called at most once for each item, and several calls
  ///     can run at the same time.
  ///   - completion: A closure that receives the report, on the actor that it is isolated to, if any. The closure is
  ///     called exactly once, even if the refresh fails or is cancelled.
  /// - Returns: The operations of the refresh, which you can cancel or wait for.
  @discardableResult
  public func enqueue<Item: Sendable>(
    _ items: some Collection<Item> & Sendable, on queue: OperationQueue? = nil,
    update: @escaping @Sendable (Item) async throws -> Change,
    completion: @escaping @isolated(any) @Sendable (RefreshReport<Item>) -> Void
  ) -> RefreshOperations<Item> {
    enqueue(listing: { items }, on: queue, update: update, completion: completion)
  }

  /// Loads the list of items in one operation and updates each item in its own operation. The time spent loading the
  /// list counts toward the time budget.
  ///
  /// - Parameters:
  ///   - list: A function that loads the list. The function is called once, or not at all if the operations are
  ///     cancelled before loading begins. If the function throws an error, the refresh fails, and the report contains
  ///     the error in ``RefreshReport/listError``.
  ///   - queue: The queue to which the operations are added. The queue's concurrency limit applies instead of
  ///     ``maxConcurrentItems``. If nil, a new queue is created with ``maxConcurrentItems`` as its concurrency limit.
  ///   - update: A function that updates one item. The function is called at most once for each item, and several calls
  ///     can run at the same time.
  ///   - completion: A closure that receives the report, on the actor that it is isolated to, if any. The closure is
  ///     called exactly once, even if the refresh fails or is cancelled.
  /// - Returns: The operations of the refresh, which you can cancel or wait for.
  @discardableResult
  public func enqueue<Item: Sendable, Items: Collection<Item> & Sendable>(
    listing list: @escaping @Sendable () async throws -> Items, on queue: OperationQueue? = nil,
    update: @escaping @Sendable (Item) async throws -> Change,
    completion: @escaping @isolated(any) @Sendable (RefreshReport<Item>) -> Void
  ) -> RefreshOperations<Item> {
    let own = OperationQueue()
    own.maxConcurrentOperationCount = max(1, maxConcurrentItems)
    let operations = RefreshOperations(completion)
    operations.begin(self, list, on: queue ?? own, update: update)
    return operations
  }
}
