/// Returns whether a condition becomes true, for conditions that no event reports.
///
/// The condition is checked repeatedly. The wait ends when its task is cancelled, for example by a suite's time limit.
/// So a condition that never becomes true fails the test instead of hanging it.
///
/// ```swift
/// #expect(await eventually { server.openConnections == 1 })
/// ```
public func eventually(
  isolation: isolated (any Actor)? = #isolation, _ condition: () async -> Bool
) async -> Bool {
  while await !condition() {
    if Task.isCancelled { return false }
    await Task.yield()
  }
  return true
}
