/// Counts events, and lets a test wait for them.
actor Events {
  private var count = 0
  private var waiters: [(Int, CheckedContinuation<Void, Never>)] = []

  /// How many there have been.
  var total: Int { count }

  func add() {
    count += 1
    for (needed, continuation) in waiters where count >= needed { continuation.resume() }
    waiters.removeAll { count >= $0.0 }
  }

  func wait(for needed: Int) async {
    if count >= needed { return }
    await withCheckedContinuation { waiters.append((needed, $0)) }
  }
}
