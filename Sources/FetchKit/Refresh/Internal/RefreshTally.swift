/// The outcomes of the items so far. Both refresh styles count here.
struct RefreshTally<Item: Sendable>: Sendable {
  enum Outcome: Sendable {
    case done(Refresh.Change)
    case failed(any Error)
    case cancelled

    /// Updates the item and returns its outcome.
    static func of(_ item: Item, _ update: @Sendable (Item) async throws -> Refresh.Change) async -> Outcome {
      do {
        return .done(try await update(item))
      } catch {
        return Task.isCancelled || isCancellation(error) ? .cancelled : .failed(error)
      }
    }
  }

  private var report = RefreshReport<Item>()
  private var failures: [(index: Int, failure: RefreshReport<Item>.Failure)] = []
  private var left = 0

  /// Sets the number of items to be recorded. Items that are never recorded count as cancelled.
  mutating func expect(_ count: Int) {
    report.listError = nil
    left = count
  }

  mutating func failList(_ error: any Error) {
    report.listError = error
  }

  mutating func record(_ outcome: Outcome, of item: Item, at index: Int) {
    left -= 1
    switch outcome {
    case .done(.changed): report.changed += 1
    case .done(.unchanged): report.unchanged += 1
    case .failed(let error): failures.append((index, RefreshReport.Failure(item: item, error: error)))
    case .cancelled: report.cancelled += 1
    }
  }

  /// Returns the report after the last item was recorded.
  func finished(isTimedOut: Bool) -> RefreshReport<Item> {
    var report = report
    report.cancelled += left
    report.failures = failures.sorted { $0.index < $1.index }.map(\.failure)
    // A budget that ran out while the last update was ending has cancelled nothing.
    report.isTimedOut = isTimedOut && (report.cancelled > 0 || report.listError != nil)
    return report
  }

  private static func isCancellation(_ error: any Error) -> Bool {
    if case FetchError.cancelled = error { return true }
    return error is CancellationError
  }
}
