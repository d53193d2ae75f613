public import Foundation

/// The body of a response, as an asynchronous sequence of chunks that can be read only once.
///
/// Chunks are delivered in the sizes in which they arrive from the network, and they are never empty. If you read
/// chunks slowly and the transport supports backpressure, the sender is paused. Cancelling the reading task, or
/// releasing the body and its iterators, ends the transfer.
public struct ResponseBody: AsyncSequence, Sendable {
  /// The error type of the iteration.
  public typealias Failure = TransportError

  enum Storage: Sendable {
    case whole(Data)
    case source(SourceHandle)
  }

  let storage: Storage

  /// Creates a body that consists of the given data.
  public init(_ data: Data = Data()) {
    storage = .whole(data)
  }

  /// Creates a body whose chunks are read from the given source.
  public init(_ source: any ResponseBodySource) {
    storage = .source(SourceHandle(source))
  }

  /// The complete body, or nil if the transport did not deliver it in one piece.
  public var data: Data? {
    if case .whole(let data) = storage { data } else { nil }
  }

  /// Reads the body to its end and returns it.
  ///
  /// - Throws: The error that ended the transfer, or ``TransportError/tooLarge(_:limit:)`` as soon as more than `limit`
  ///   bytes have arrived.
  public func collect(upTo limit: Int) async throws(TransportError) -> Data {
    if case .whole(let data) = storage, data.count <= limit { return data }
    var collected = Data()
    var iterator = makeAsyncIterator()
    while let chunk = try await iterator.next() {
      guard collected.count + chunk.count <= limit else { throw .tooLarge(.body, limit: limit) }
      collected.append(chunk)
    }
    return collected
  }

  /// Creates an iterator. A second iterator continues where the first one stopped.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(storage: storage)
  }

  /// An iterator over the chunks of a body.
  public struct AsyncIterator: AsyncIteratorProtocol {
    var storage: Storage?

    /// Returns the next chunk, or nil at the end. This method runs on the given actor.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(TransportError) -> Data? {
      switch storage {
      case .whole(let data):
        storage = nil
        return data.isEmpty ? nil : data
      case .source(let handle):
        do {
          if let chunk = try await handle.source.next() { return chunk }
        } catch {
          storage = nil
          throw error
        }
        storage = nil
        return nil
      case nil:
        return nil
      }
    }
  }
}

/// A type that provides the chunks of a streamed response body. Transports implement this protocol.
nonisolated public protocol ResponseBodySource: Sendable {
  /// Returns the next chunk, which is never empty. After the last chunk, every call returns nil.
  ///
  /// This method waits until a chunk has arrived or the body has ended, and it throws ``TransportError/cancelled`` if
  /// the calling task is cancelled. Each call begins only after the previous call has returned.
  func next() async throws(TransportError) -> Data?
  /// Ends the transfer if it is still running, and a call of ``next()`` that waits, with
  /// ``TransportError/cancelled``. This method is called once, when no more chunks will be read or the client cancels
  /// the stream. It can be called from any thread and must not block.
  func cancel()
}

/// Ends the transfer when the last body or iterator that references it is released.
final class SourceHandle: Sendable, CustomReflectable {
  let source: any ResponseBodySource
  private let isCancelled = Lock(false)

  /// Empty: the source of a body has the complete URL, which `dump` of a stream must not show.
  var customMirror: Mirror { Mirror(self, children: [:]) }

  init(_ source: any ResponseBodySource) {
    self.source = source
  }

  deinit { cancel() }

  func cancel() {
    let isFirst = isCancelled.withLock { isCancelled in
      defer { isCancelled = true }
      return !isCancelled
    }
    if isFirst { source.cancel() }
  }
}
