/// Polls a store for commits of other processes, for as long as this object lives.
final class StorePolling: Sendable {
  private let task: Task<Void, Never>

  init(of store: Store, every interval: Duration, by clock: any Clock<Duration>) {
    // Always pause between polls, whatever interval was configured.
    let interval = max(interval, .milliseconds(1))
    task = Task.detached(priority: .utility) { [weak store] in
      do {
        while true {
          try await clock.sleep(for: interval)
          guard let store else { return }
          await withCheckedContinuation { continuation in store.poll { continuation.resume() } }
        }
      } catch {
        // Cancelled.
      }
    }
  }

  deinit { task.cancel() }
}
