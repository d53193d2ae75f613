import Foundation

/// Runs a closure on a thread with the smallest stack that threads have on any platform, 512 KB.
func onSmallStack<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    let thread = Thread { continuation.resume(with: Result(catching: body)) }
    thread.stackSize = 512 << 10
    thread.start()
  }
}
