public import Foundation

extension OperationQueue {
  /// Adds the operations to the queue in order and returns without waiting for them to end. Use this method in `async`
  /// code, where `addOperations(_:waitUntilFinished:)` is unavailable.
  ///
  /// They are added in one step: when the first one runs, all are there to be cancelled.
  public func addOperations(_ operations: [Operation]) {
    addOperations(operations, waitUntilFinished: false)
  }

  /// Adds the operation to the queue and waits for it to end, whether it succeeds, fails or is cancelled. Cancelling
  /// the calling task cancels the operation.
  public func run(_ operation: AsyncOperation) async {
    await withTaskCancellationHandler {
      addOperation(operation)
      await operation.waitForCompletion()
    } onCancel: {
      operation.cancel()
    }
  }

  /// Adds the fetch operation to the queue, waits until the operation has ended, and returns its value. Cancelling the
  /// calling task cancels the fetch.
  ///
  /// - Throws: The ``FetchError`` that ended the fetch.
  public func value<Value>(of operation: FetchOperation<Value>) async throws(FetchError) -> Value {
    await run(operation)
    return try await operation.value
  }

  /// Adds the task operation to the queue, waits until the operation has ended, and returns its value. Cancelling the
  /// calling task cancels the operation.
  ///
  /// - Throws: The error thrown by the operation's function, or `CancellationError` if the function never began.
  public func value<Value>(of operation: TaskOperation<Value>) async throws -> Value {
    await run(operation)
    return try await operation.value
  }
}
