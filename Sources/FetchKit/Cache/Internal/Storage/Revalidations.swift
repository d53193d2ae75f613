/// The validations running in the background, at most one per stored response.
final class Revalidations: Sendable {
  private let running = Lock<[String: Task<Void, Never>]>([:])

  /// Starts the work in a separate task, unless work for the key is already running.
  func start(_ key: String, _ work: @escaping @Sendable () async -> Void) {
    running.withLock { running in
      guard running[key] == nil else { return }
      running[key] = Task(priority: .utility) {
        await work()
        self.running.withLock { $0[key] = nil }
      }
    }
  }

  /// Returns when no validation is running.
  func waitUntilIdle() async {
    while let task = running.withLock({ $0.values.first }) { await task.value }
  }
}
