/// Whether a condition becomes true for which there is no event.
///
/// The condition is checked repeatedly. The wait ends with its task, which a suite's time limit cancels: so a condition
/// that never becomes true is a failure, not a test that never ends.
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
