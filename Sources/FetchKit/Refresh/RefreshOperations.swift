internal import Foundation

/// The operations of a refresh: one that loads the list, one for each item, and one that runs the completion handler.
public final class RefreshOperations<Item: Sendable>: Sendable {
  private struct State {
    var progress = OperationProgress(completed: 0, total: 1)
    var report = RefreshReport<Item>()
    var isCancelled = false
    var isTimedOut = false
    var refreshing: AsyncOperation?
  }

  /// The operation that runs the completion handler. If another operation must run after the refresh, add this
  /// operation as its dependency.
  public let completion: CompletionOperation
  private let state: Lock<State>

  init(_ completion: @escaping @isolated(any) @Sendable (RefreshReport<Item>) -> Void) {
    let state = Lock(State())
    self.state = state
    self.completion = CompletionOperation { await completion(state.withLock { $0.report }) }
  }

  /// The number of operations that have ended and the total number of operations, including the operation that loads
  /// the list.
  public var progress: OperationProgress { state.withLock { $0.progress } }

  /// The report of the refresh. Reading this property waits until all operations have ended and the completion handler
  /// has returned.
  public var report: RefreshReport<Item> {
    get async {
      await completion.waitForCompletion()
      return state.withLock { $0.report }
    }
  }

  /// Cancels the operations in progress and prevents the remaining operations from starting. An item counts as
  /// cancelled if its update was cancelled or never started. The completion handler is still called.
  public func cancel() {
    cancel(isTimedOut: false)
  }

  func begin<Items: Collection<Item> & Sendable>(
    _ refresh: Refresh, _ list: @escaping @Sendable () async throws -> Items, on queue: OperationQueue,
    update: @escaping @Sendable (Item) async throws -> Refresh.Change
  ) {
    let refreshing = TaskOperation { [self] in
      let alarm = refresh.budget.map { budget in
        TimeSource(refresh.clock).after(budget) { [weak self] in self?.cancel(isTimedOut: true) }
      }
      let tally = await run(list, on: queue, update)
      alarm?.cancel()
      state.withLock { $0.report = tally.finished(isTimedOut: $0.isTimedOut) }
    }
    state.withLock { $0.refreshing = refreshing }
    // The single dependency, in place of every operation. For each dependency added, Foundation searches all existing
    // ones, which for several thousand takes longer than everything else.
    completion.addDependency(refreshing)
    queue.addOperation(completion)
    refreshing.start()
  }

  private func run<Items: Collection<Item> & Sendable>(
    _ list: @escaping @Sendable () async throws -> Items, on queue: OperationQueue,
    _ update: @escaping @Sendable (Item) async throws -> Refresh.Change
  ) async -> RefreshTally<Item> {
    var tally = RefreshTally<Item>()
    let listing = TaskOperation { [state] in
      let items = try await list()
      let total = Int64(items.count + 1)
      // Before the operation ends, so that the progress is not complete in between.
      state.withLock { $0.progress.total = total }
      return items
    }
    listing.whenEnded { self.operationEnded() }
    let items: Items
    do {
      items = try await queue.value(of: listing)
    } catch {
      tally.failList(error)
      return tally
    }
    let updates = items.map { item in
      let operation = TaskOperation { [self] in
        // As the running operations end, the queue starts others that have not been cancelled yet.
        state.withLock(\.isCancelled) ? .cancelled : await RefreshTally.Outcome.of(item, update)
      }
      operation.whenEnded { self.operationEnded() }
      return (item: item, operation: operation)
    }
    tally.expect(updates.count)
    await withTaskCancellationHandler {
      queue.addOperations(updates.map(\.operation))
      for (index, (item, update)) in updates.enumerated() {
        // One that was cancelled before its start has no outcome, and counts as cancelled.
        if let outcome = try? await update.value { tally.record(outcome, of: item, at: index) }
      }
    } onCancel: {
      for update in updates { update.operation.cancel() }
    }
    return tally
  }

  private func operationEnded() {
    state.withLock { $0.progress.completed += 1 }
  }

  private func cancel(isTimedOut: Bool) {
    let refreshing = state.withLock { state -> AsyncOperation? in
      guard !state.isCancelled else { return nil }
      (state.isCancelled, state.isTimedOut) = (true, isTimedOut)
      return state.refreshing
    }
    refreshing?.cancel()
  }
}
