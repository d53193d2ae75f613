/// Whether a condition comes to hold, which no event tells of.
///
/// It is looked at again and again. The wait ends with its task, which a suite's time limit cancels: so a condition
/// that never holds is a failure, not a test that never ends.
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
