public import Foundation

extension OperationQueue {
  /// Adds operations in order, waiting for nothing: for `async` code, to which `addOperations(_:waitUntilFinished:)` is
  /// closed.
  public func addOperations(_ operations: [Operation]) {
    for operation in operations { addOperation(operation) }
  }

  /// Adds an operation and returns when it has ended, however it ended. Cancelling the task cancels the operation.
  public func run(_ operation: AsyncOperation) async {
    await withTaskCancellationHandler {
      addOperation(operation)
      await operation.ended()
    } onCancel: {
      operation.cancel()
    }
  }

  /// Adds a fetch and returns its value. Cancelling the task cancels the fetch.
  ///
  /// - Throws: The one ``FetchError`` that ended it.
  public func value<Value>(of operation: FetchOperation<Value>) async throws(FetchError) -> Value {
    await run(operation)
    return try await operation.value
  }

  /// Adds a task's operation and returns its value. Cancelling the task cancels the operation.
  ///
  /// - Throws: what the operation's function threw; `CancellationError` where it never began.
  public func value<Value>(of operation: TaskOperation<Value>) async throws -> Value {
    await run(operation)
    return try await operation.value
  }
}
