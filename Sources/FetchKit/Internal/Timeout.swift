/// The error of ``withTimeout(_:_:_:)`` when the time runs out.
package struct TimeoutError: Error {}

/// Runs user code that may hang. The caller continues when the code ends, when the time runs out or when the caller is
/// cancelled, whichever comes first. The code is then cancelled but not awaited.
package func withTimeout<Value: Sendable>(
  _ timeout: Duration?, _ time: TimeSource, _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  let result = Promise<Result<Value, any Error>>()
  let working = Task {
    do { result.set(.success(try await work())) } catch { result.set(.failure(error)) }
  }
  defer { working.cancel() }
  return try await result.take(within: timeout, time) { end in
    result.set(.failure(end == .timeout ? TimeoutError() : CancellationError()))
  }.get()
}
