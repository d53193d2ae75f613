extension Refresh {
  /// The refresh without its budget: at most `concurrency` child tasks, a new one as soon as one ends.
  func runToTheEnd<Item: Sendable, Items: Collection<Item> & Sendable>(
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
      for _ in 0..<max(1, concurrency) { beginNext() }
      for await (index, item, outcome) in group {
        tally.record(outcome, of: item, at: index)
        beginNext()
      }
    }
    return tally
  }
}
