public import Foundation

/// The body of a response, as an asynchronous sequence of chunks that can be read only once.
///
/// Chunks are delivered in the sizes in which they arrive from the network, and they are never empty. Reading slowly
/// pauses the sender if the transport supports backpressure. Cancelling the reading task, or releasing the body and its
/// iterator, ends the transfer.
public struct ResponseBody: AsyncSequence, Sendable {
  /// The error type of the iteration.
  public typealias Failure = TransportError

  enum Storage: Sendable {
    case whole(Data)
    case source(SourceHandle)
  }

  let storage: Storage

  /// Creates a body from complete data.
  public init(_ data: Data = Data()) {
    storage = .whole(data)
  }

  /// Creates a body that a transport delivers in chunks.
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

  /// Iterates over the chunks.
  public struct AsyncIterator: AsyncIteratorProtocol {
    var storage: Storage?

    /// Returns the next chunk, or nil at the end.
    public mutating func next() async throws(TransportError) -> Data? {
      try await next(isolation: nil)
    }

    /// Returns the next chunk, or nil at the end. This method does not leave the caller's actor.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(TransportError) -> Data? {
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

/// A source of body chunks. Transports implement this protocol.
public protocol ResponseBodySource: Sendable {
  /// Returns the next chunk, which is never empty. At the end and on every later call, this method returns nil.
  ///
  /// This method waits for the network, and it throws ``TransportError/cancelled`` if its task is cancelled. Each call
  /// begins only after the previous call has returned.
  func next() async throws(TransportError) -> Data?
  /// Ends the transfer if it is still running, because no further chunk is needed. This method is called once, from any
  /// thread, and must not block.
  func cancel()
}

/// Ends the transfer when the last body or iterator that references it is released.
final class SourceHandle: Sendable, CustomReflectable {
  let source: any ResponseBodySource

  /// Empty: the source of a body has the complete URL, which `dump` of a stream must not show.
  var customMirror: Mirror { Mirror(self, children: [:]) }

  init(_ source: any ResponseBodySource) {
    self.source = source
  }

  deinit {
    source.cancel()
  }
}
