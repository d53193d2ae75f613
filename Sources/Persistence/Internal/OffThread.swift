internal import Dispatch

/// Runs what waits for a disk on a thread that nobody else waits for.
func offThread<Value: Sendable>(
  _ work: @escaping @Sendable () throws(PersistenceError) -> Value
) async throws(PersistenceError) -> Value {
  let result = await withCheckedContinuation { continuation in
    DispatchQueue.global().async {
      continuation.resume(returning: Result { () throws(PersistenceError) in try work() })
    }
  }
  return try result.get()
}
