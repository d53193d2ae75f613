/// Counts events, and lets a test wait for them.
actor Events {
  private var count = 0
  private var waiters: [Int: (needed: Int, continuation: CheckedContinuation<Void, Never>)] = [:]
  private var nextWaiter = 0

  /// How many there have been.
  var total: Int { count }

  func add() {
    count += 1
    for (number, waiter) in waiters where count >= waiter.needed { resume(number) }
  }

  /// Returns when there have been that many, or when the task is cancelled.
  func wait(for needed: Int) async {
    nextWaiter += 1
    let number = nextWaiter
    await withTaskCancellationHandler {
      if count >= needed || Task.isCancelled { return }
      await withCheckedContinuation { waiters[number] = (needed, $0) }
    } onCancel: {
      Task { await resume(number) }
    }
  }

  private func resume(_ number: Int) {
    waiters.removeValue(forKey: number)?.continuation.resume()
  }
}
