internal import Foundation

/// An operation whose work is an `async` function: how new code takes its place in a queue of old.
///
/// ```swift
/// let load = TaskOperation { try await library.load() }
/// display.addDependency(load)
/// queue.addOperations([load, display])
/// ```
///
/// Cancelling it cancels the task.
///
/// `@unchecked Sendable`: what it stores is constant or behind a lock.
public final class TaskOperation<Value: Sendable>: AsyncOperation, @unchecked Sendable {
  private struct State {
    var work: (@Sendable () async throws -> Value)?
    var task: Task<Void, Never>?
    var result: Result<Value, any Error>?
  }

  private let state: Lock<State>

  /// An operation that runs the function once it is started.
  public init(_ work: @escaping @Sendable () async throws -> Value) {
    state = Lock(State(work: work))
    super.init()
  }

  /// What came of it; nil until the end. Cancelled before its start, it failed with `CancellationError`.
  public var result: Result<Value, any Error>? {
    guard isFinished else { return nil }
    return state.withLock { $0.result } ?? .failure(CancellationError())
  }

  /// The value, once the operation has ended.
  ///
  /// - Throws: what the function threw; `CancellationError` where it never began.
  public var value: Value {
    get async throws {
      await ended()
      guard let result else { throw CancellationError() }
      return try result.get()
    }
  }

  /// Starts the task.
  public override func execute() {
    // Operations that depend on this one keep it; what the function holds need not live as long.
    let taken = state.withLock { state in
      defer { state.work = nil }
      return state.work
    }
    guard let work = taken else { return finish() }
    let task = Task {
      let result: Result<Value, any Error>
      do {
        result = .success(try await work())
      } catch {
        result = .failure(error)
      }
      state.withLock { $0.result = result }
      finish()
    }
    state.withLock { $0.task = task }
  }

  /// Cancels the task.
  public override func didCancel() {
    state.withLock { $0.task }?.cancel()
  }
}
