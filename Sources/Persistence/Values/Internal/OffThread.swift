internal import Dispatch

/// Runs work that waits for a disk on a global dispatch queue, where nothing else waits for it.
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
