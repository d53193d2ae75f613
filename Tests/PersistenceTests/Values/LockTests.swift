import Testing

@testable import Persistence

@Suite struct LockTests {
  @Test func `a lock protects a counter that many tasks increment`() async {
    let counter = Lock(0)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<100 { group.addTask { counter.withLock { $0 += 1 } } }
    }
    #expect(counter.withLock { $0 } == 100)
  }
}
