internal import Dispatch

/// Runs work that waits for a disk on a global dispatch queue, where nothing else waits for it.
func offThread<Value: Sendable>(
  _ work: @escaping @Sendable () throws(PersistenceError) -> Value
) async throws(PersistenceError) -> Value {
  // Through a lock, because the thread sanitizer does not see a continuation that is resumed before it is awaited.
  let results = Lock<[Result<Value, PersistenceError>]>([])
  await withCheckedContinuation { continuation in
    DispatchQueue.global().async {
      let result = Result { () throws(PersistenceError) in try work() }
      results.withLock { $0.append(result) }
      continuation.resume()
    }
  }
  return try results.withLock { $0[0] }.get()
}
