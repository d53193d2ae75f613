extension Refresh {
  private enum Outcome<Item: Sendable>: Sendable {
    case done(Change)
    case failed(Int, RefreshReport<Item>.Failure)
    case cancelled
  }

  /// The refresh without its budget: at most `concurrency` child tasks, a new one as soon as one ends.
  func runToTheEnd<Item: Sendable, Items: Collection<Item> & Sendable>(
    _ list: @Sendable () async throws -> Items, _ update: @escaping @Sendable (Item) async throws -> Change
  ) async -> RefreshReport<Item> {
    var report = RefreshReport<Item>()
    let items: Items
    do {
      items = try await list()
    } catch {
      report.listError = error
      return report
    }
    var failures: [(index: Int, failure: RefreshReport<Item>.Failure)] = []
    await withTaskGroup(of: Outcome<Item>.self) { group in
      var waiting = items.makeIterator()
      var begun = 0
      func beginNext() {
        guard !Task.isCancelled, let item = waiting.next() else { return }
        let index = begun
        begun += 1
        group.addTask { await Self.outcome(of: item, at: index, update) }
      }
      for _ in 0..<max(1, concurrency) { beginNext() }
      for await outcome in group {
        switch outcome {
        case .done(.changed): report.changed += 1
        case .done(.unchanged): report.unchanged += 1
        case .failed(let index, let failure): failures.append((index, failure))
        case .cancelled: report.cancelled += 1
        }
        beginNext()
      }
      report.cancelled += items.count - begun
    }
    report.failures = failures.sorted { $0.index < $1.index }.map(\.failure)
    return report
  }

  private static func outcome<Item: Sendable>(
    of item: Item, at index: Int, _ update: @Sendable (Item) async throws -> Change
  ) async -> Outcome<Item> {
    do {
      return .done(try await update(item))
    } catch {
      if Task.isCancelled || isCancellation(error) { return .cancelled }
      return .failed(index, RefreshReport.Failure(item: item, error: error))
    }
  }

  private static func isCancellation(_ error: any Error) -> Bool {
    if case FetchError.cancelled = error { return true }
    return error is CancellationError
  }
}
