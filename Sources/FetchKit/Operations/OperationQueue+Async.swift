public import Foundation

extension OperationQueue {
  /// Adds operations in order without waiting for them. Use this method in `async` code, where
  /// `addOperations(_:waitUntilFinished:)` is unavailable.
  public func addOperations(_ operations: [Operation]) {
    for operation in operations { addOperation(operation) }
  }

  /// Adds an operation and waits until it has ended, regardless of how it ends. Cancelling the task cancels the
  /// operation.
  public func run(_ operation: AsyncOperation) async {
    await withTaskCancellationHandler {
      addOperation(operation)
      await operation.waitForCompletion()
    } onCancel: {
      operation.cancel()
    }
  }

  /// Adds a fetch operation and returns its value. Cancelling the task cancels the fetch.
  ///
  /// - Throws: The ``FetchError`` that ended the fetch.
  public func value<Value>(of operation: FetchOperation<Value>) async throws(FetchError) -> Value {
    await run(operation)
    return try await operation.value
  }

  /// Adds a task operation and returns its value. Cancelling the task cancels the operation.
  ///
  /// - Throws: The error thrown by the operation's function, or `CancellationError` if the function never began.
  public func value<Value>(of operation: TaskOperation<Value>) async throws -> Value {
    await run(operation)
    return try await operation.value
  }
}
