/// Polls a store for commits of other processes, for as long as this object lives.
final class StorePolling: Sendable {
  private let task: Task<Void, Never>

  /// - Parameter poll: Returns false when the store is gone.
  init(every interval: Duration, by clock: any Clock<Duration>, _ poll: @escaping @Sendable () async -> Bool) {
    // Always pause between polls, whatever interval was configured.
    let interval = max(interval, .milliseconds(1))
    task = Task.detached(priority: .utility) {
      do {
        repeat { try await clock.sleep(for: interval) } while await poll()
      } catch {
        // Cancelled.
      }
    }
  }

  deinit { task.cancel() }
}
