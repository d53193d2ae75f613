/// Looks time and again whether others have committed to a store, for as long as it lives.
final class StorePolling: Sendable {
  private let task: Task<Void, Never>

  init(of store: Store, every interval: Duration, by clock: any Clock<Duration>) {
    // Never without a pause, whatever was asked for.
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
