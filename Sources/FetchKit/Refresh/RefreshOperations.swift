internal import Foundation

/// The operations of a refresh: one that loads the list, one for each item, and one that runs the completion handler.
public final class RefreshOperations<Item: Sendable>: Sendable {
  private struct State {
    var tally = RefreshTally<Item>()
    var operations: [AsyncOperation] = []
    var progress = OperationProgress(completed: 0, total: 1)
    var isCancelled = false
    var isTimedOut = false
    var hasEnded = false
    var report = RefreshReport<Item>()
    var budget: Task<Void, Never>?
  }

  /// The operation that runs the completion handler. If another operation must run after the refresh, add this
  /// operation as its dependency.
  public let completion: CompletionOperation
  private let allEnded = Gate()
  private let update: @Sendable (Item) async throws -> Refresh.Change
  private let state: Lock<State>

  init(
    _ update: @escaping @Sendable (Item) async throws -> Refresh.Change,
    _ completion: @escaping @isolated(any) @Sendable (RefreshReport<Item>) -> Void
  ) {
    let state = Lock(State())
    self.state = state
    self.update = update
    self.completion = CompletionOperation {
      let (report, budget) = state.withLock { state in
        state.report = state.tally.finished(isTimedOut: state.isTimedOut)
        state.operations = []
        state.hasEnded = true
        return (state.report, state.budget)
      }
      budget?.cancel()
      await completion(report)
    }
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
    _ list: @escaping @Sendable () async throws -> Items, on queue: OperationQueue, within budget: Duration?,
    on clock: any Clock<Duration>
  ) {
    let listing = TaskOperation { [self] in
      do {
        let items = try await list()
        add(items, to: queue)
      } catch {
        state.withLock { $0.tally.failList(error) }
      }
    }
    state.withLock { state in
      state.operations = [listing]
      // Remains unless the list is loaded: a listing that is cancelled before its start never runs.
      state.tally.failList(CancellationError())
    }
    listing.whenEnded { self.operationEnded() }
    completion.addDependency(allEnded)
    allEnded.start()
    queue.addOperations([listing, completion])
    guard let budget else { return }
    let timer = Task { [weak self] in
      do {
        try await clock.sleep(for: budget)
      } catch {
        return
      }
      self?.cancel(isTimedOut: true)
    }
    let hasEnded = state.withLock { state in
      state.budget = timer
      return state.hasEnded
    }
    if hasEnded { timer.cancel() }
  }

  /// The listing has not ended yet, so `allEnded` cannot finish before these are added.
  private func add(_ items: some Collection<Item>, to queue: OperationQueue) {
    let updates = items.enumerated().map { index, item in
      TaskOperation { [self] in
        // As the running operations end, the queue starts others that have not been cancelled yet.
        guard !state.withLock({ $0.isCancelled }) else { return }
        let outcome = await RefreshTally.Outcome.of(item, update)
        state.withLock { $0.tally.record(outcome, of: item, at: index) }
      }
    }
    let isCancelled = state.withLock { state in
      state.tally.expect(updates.count)
      if !state.isCancelled {
        state.operations += updates as [AsyncOperation]
        state.progress.total = Int64(updates.count + 1)
      }
      return state.isCancelled
    }
    guard !isCancelled else { return }
    for update in updates { update.whenEnded { self.operationEnded() } }
    queue.addOperations(updates, waitUntilFinished: false)
  }

  private func operationEnded() {
    let progress = state.withLock { state in
      state.progress.completed += 1
      return state.progress
    }
    if progress.completed == progress.total { allEnded.finish() }
  }

  private func cancel(isTimedOut: Bool) {
    let operations = state.withLock { state in
      guard !state.isCancelled else { return [AsyncOperation]() }
      state.isCancelled = true
      state.isTimedOut = isTimedOut
      return state.operations
    }
    for operation in operations { operation.cancel() }
  }
}

/// The single dependency of the completion, in place of every operation. For each dependency added, Foundation searches
/// all existing ones, which for several thousand takes longer than everything else.
///
/// `@unchecked Sendable`: it stores nothing.
private final class Gate: AsyncOperation, @unchecked Sendable {
  override func execute() {}
}
