import AllocationCount
import BenchmarkSupport
import Foundation

/// What `body` took on average, in microseconds: small work is repeated, as a clock has its own cost.
func microseconds<Value>(repeats: Int, _ body: () throws -> Value) rethrows -> Double {
  try milliseconds { for _ in 0..<repeats { keep(try body()) } } * 1000 / Double(repeats)
}

/// How often `body` asks for memory.
func allocations<Value>(_ body: () throws -> Value) rethrows -> Double {
  allocation_count_start()
  defer { _ = allocation_count_stop() }
  keep(try body())
  return Double(allocation_count_stop())
}

/// Lets nobody conclude that a result is not used.
@inline(never)
private func keep<Value>(_ value: Value) { withExtendedLifetime(value) {} }

/// The same value from the same bytes, or an error: nothing fast and wrong is reported.
func expectEqual<Value: Equatable>(_ ours: Value, _ theirs: Value, _ work: String) throws {
  guard ours == theirs else { throw WrongResult("\(work): the results differ") }
}
