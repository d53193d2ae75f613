#if os(Linux)
internal import Foundation

/// Reads a streamed body in a task of its own, one piece whenever libcurl has sent the one before.
final class CurlUploadPump: Sendable {
  /// A wish for the next piece. The generation counts how often the body was started anew.
  struct Demand: Sendable {
    let pump: CurlUploadPump
    let generation: Int
  }

  private let open: @Sendable () throws -> RequestBody.Reader
  private let demands: AsyncStream<Int>
  private let demand: AsyncStream<Int>.Continuation
  private let task = Lock<Task<Void, Never>?>(nil)

  init(open: @escaping @Sendable () throws -> RequestBody.Reader) {
    self.open = open
    (demands, demand) = AsyncStream.makeStream()
  }

  /// Starts the task, from the one that sends, whose priority and task-local values it gets.
  func begin(deliver: @escaping @Sendable (Result<Data?, any Error>, _ generation: Int) -> Void) {
    let open = open
    let demands = demands
    let running = Task {
      var reader: RequestBody.Reader?
      var opened = -1
      for await generation in demands where generation >= opened {  // two threads demand: one may come late
        do {
          if generation != opened { (reader, opened) = (try open(), generation) }
          var piece = try await reader?()
          while let empty = piece, empty.isEmpty, !Task.isCancelled { piece = try await reader?() }
          deliver(.success(piece), generation)
        } catch {
          deliver(.failure(error), generation)
        }
      }
    }
    task.withLock { $0 = running }
  }

  func read(generation: Int) {
    demand.yield(generation)
  }

  /// Cancels what is being read and lets the task end.
  func end() {
    demand.finish()
    task.withLock { $0 }?.cancel()
  }
}
#endif
