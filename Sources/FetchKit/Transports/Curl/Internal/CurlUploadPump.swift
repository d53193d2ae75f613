#if canImport(CLarderCurl)
internal import Foundation

/// Reads a streamed body in a separate task, one piece at a time: the next one when libcurl has sent the previous one.
final class CurlUploadPump: Sendable {
  /// A request for the next piece. The generation counts how often the body was restarted.
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

  /// Starts the reading task from the sending task, whose priority and task-local values it inherits.
  func begin(deliver: @escaping @Sendable (Result<Data?, any Error>, _ generation: Int) -> Void) {
    let open = open
    let demands = demands
    let running = Task {
      var reader: RequestBody.Reader?
      var opened = -1
      for await generation in demands where generation >= opened {  // two threads send demands, so one can be late
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

  /// Cancels the current read and ends the task.
  func end() {
    demand.finish()
    task.withLock { $0 }?.cancel()
  }
}
#endif
