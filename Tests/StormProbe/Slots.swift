/// Limits how many tasks run at a time.
actor Slots {
  private let size: Int
  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ size: Int) {
    self.size = size
    free = size
  }

  func take() async {
    guard free == 0 else {
      free -= 1
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  func give() {
    guard waiting.isEmpty else { return waiting.removeFirst().resume() }
    free += 1
  }

  func takeAll() async {
    for _ in 0..<size { await take() }
  }
}
