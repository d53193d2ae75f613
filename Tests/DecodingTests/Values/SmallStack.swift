import Foundation

/// Runs a closure on a thread with the smallest stack that threads have on any platform, 512 KB.
func onSmallStack<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    let thread = Thread { continuation.resume(with: Result(catching: body)) }
    // The address sanitizer, for which `Scripts/test` sets this variable, puts space around every variable.
    let isSanitized = ProcessInfo.processInfo.environment["ASAN_OPTIONS"] != nil
    thread.stackSize = isSanitized ? 4 << 20 : 512 << 10
    thread.start()
  }
}
