extension Refresh {
  /// Runs the refresh without its budget, in at most `concurrency` child tasks. A new one starts when one ends.
  func runAll<Item: Sendable, Items: Collection<Item> & Sendable>(
    _ list: @Sendable () async throws -> Items, _ update: @escaping @Sendable (Item) async throws -> Change
  ) async -> RefreshTally<Item> {
    var tally = RefreshTally<Item>()
    let items: Items
    do {
      items = try await list()
    } catch {
      tally.failList(error)
      return tally
    }
    tally.expect(items.count)
    await withTaskGroup(of: (Int, Item, RefreshTally<Item>.Outcome).self) { group in
      var waiting = items.enumerated().makeIterator()
      func beginNext() {
        guard !Task.isCancelled, let (index, item) = waiting.next() else { return }
        group.addTask { (index, item, await RefreshTally.Outcome.of(item, update)) }
      }
      for _ in 0..<max(1, maxConcurrentItems) { beginNext() }
      for await (index, item, outcome) in group {
        tally.record(outcome, of: item, at: index)
        beginNext()
      }
    }
    return tally
  }
}
