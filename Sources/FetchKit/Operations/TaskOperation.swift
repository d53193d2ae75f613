internal import Foundation

/// An operation that runs an `async` function. Use it to run asynchronous code in an existing operation queue.
///
/// ```swift
/// let load = TaskOperation { try await library.load() }
/// display.addDependency(load)
/// queue.addOperations([load, display])
/// ```
///
/// Cancelling the operation cancels the task that runs the function.
///
/// The class is `@unchecked Sendable` because its stored properties are constant or protected by a lock.
public final class TaskOperation<Value: Sendable>: AsyncOperation, @unchecked Sendable {
  private struct State {
    var work: (@Sendable () async throws -> Value)?
    var task: Task<Void, Never>?
    var result: Result<Value, any Error>?
  }

  private let state: Lock<State>

  /// Creates an operation that runs the given function when the operation starts.
  public init(_ work: @escaping @Sendable () async throws -> Value) {
    state = Lock(State(work: work))
    super.init()
  }

  /// The result of the function, or nil if the operation has not ended yet. If the operation was cancelled before it
  /// started, the result is a `CancellationError`.
  public var result: Result<Value, any Error>? {
    guard isFinished else { return nil }
    return state.withLock { $0.result } ?? .failure(CancellationError())
  }

  /// The value that the function returned. Reading this property waits until the operation has ended.
  ///
  /// - Throws: The error thrown by the function, or `CancellationError` if the function never began.
  public var value: Value {
    get async throws {
      await waitForCompletion()
      guard let result else { throw CancellationError() }
      return try result.get()
    }
  }

  /// Starts the task.
  public override func execute() {
    // Operations that depend on this one retain it. What the function captures need not live as long.
    let taken = state.withLock { state in
      defer { state.work = nil }
      return state.work
    }
    guard let work = taken else { return finish() }
    let task = Self.begin { [self] in
      let result: Result<Value, any Error>
      do {
        result = .success(try await work())
      } catch {
        result = .failure(error)
      }
      state.withLock { state in
        state.result = result
        state.task = nil
      }
      finish()
    }
    state.withLock { if $0.result == nil { $0.task = task } }
  }

  /// Creates a task that begins on the current thread if the system supports it, which saves a thread switch per
  /// operation.
  private static func begin(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    if #available(macOS 26, iOS 26, tvOS 26, visionOS 26, *) { return Task.immediate(operation: work) }
    return Task(operation: work)
  }

  /// Cancels the task.
  public override func didCancel() {
    state.withLock { $0.task }?.cancel()
  }
}
