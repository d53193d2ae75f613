public import Foundation

/// The body of a response: an asynchronous sequence of chunks, read once.
///
/// Chunks have the sizes the network gave them and are never empty. Reading slowly holds the sender back, as far as the
/// transport can. Cancelling the reading task, or dropping the body and its iterator, ends the transfer.
public struct ResponseBody: AsyncSequence, Sendable {
  /// What iteration throws.
  public typealias Failure = TransportError

  enum Storage: Sendable {
    case whole(Data)
    case source(SourceHandle)
  }

  let storage: Storage

  /// A body that is there already.
  public init(_ data: Data = Data()) {
    storage = .whole(data)
  }

  /// A body that a transport delivers piece by piece.
  public init(_ source: any ResponseBodySource) {
    storage = .source(SourceHandle(source))
  }

  /// The complete body, where the transport delivered it in one piece.
  public var whole: Data? {
    if case .whole(let data) = storage { data } else { nil }
  }

  /// Reads to the end and returns all of it.
  ///
  /// - Throws: what the transfer ended with, or ``TransportError/tooLarge(_:limit:)`` as soon as more than `limit`
  ///   came.
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

  /// Starts reading; a second iterator continues where the first is.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(storage: storage)
  }

  /// Hands out the chunks.
  public struct AsyncIterator: AsyncIteratorProtocol {
    var storage: Storage?

    /// The next chunk, nil at the end.
    public mutating func next() async throws(TransportError) -> Data? {
      try await next(isolation: nil)
    }

    /// The next chunk, nil at the end, without leaving the caller's actor.
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

/// What a transport implements to deliver a body piece by piece.
public protocol ResponseBodySource: Sendable {
  /// The next chunk, not empty; nil at the end, and from then on. Waits for the network, and throws
  /// ``TransportError/cancelled`` when its task is cancelled. Called again only after it returned.
  func next() async throws(TransportError) -> Data?
  /// Ends the transfer if it still runs: nobody will ask for more. Called once, from any thread; must not block.
  func cancel()
}

/// Ends the transfer when the last body or iterator that knows of it is gone.
final class SourceHandle: Sendable, CustomReflectable {
  let source: any ResponseBodySource

  /// Nothing: what delivers a body knows the whole URL, which `dump` of a stream must not show.
  var customMirror: Mirror { Mirror(self, children: [:]) }

  init(_ source: any ResponseBodySource) {
    self.source = source
  }

  deinit {
    source.cancel()
  }
}
