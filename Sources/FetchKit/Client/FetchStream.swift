public import Foundation

/// A response with a body that is received as an asynchronous sequence of chunks. The body can be read only once.
///
/// ```swift
/// let stream: FetchStream = try await client.stream(url)
/// for try await chunk in stream { try output.write(contentsOf: chunk) }
/// ```
///
/// If the transport supports backpressure, the server sends the body only as fast as you read it. To end the transfer
/// early, cancel the task that reads the body, or release the stream and its iterators. Until the transfer ends, the
/// stream counts toward ``ConcurrencyLimits/streams``.
public struct FetchStream: AsyncSequence, Sendable {
  /// The error type of the iteration.
  public typealias Failure = FetchError

  /// The status code, the header fields and the other properties of the response. The `body` property is empty, because
  /// the stream delivers the body.
  public let response: FetchResponse
  private let body: ResponseBody
  private let permit: Permit?
  /// Nil if the client does not end the stream.
  var open: OpenFetch?
  private let context: FetchError.Context

  init(_ response: FetchResponse, _ body: ResponseBody, permit: Permit?, context: FetchError.Context) {
    self.response = response
    self.body = body
    self.permit = permit
    self.context = context
  }

  /// Creates an iterator over the chunks of the body. If you create a second iterator, it continues with the first
  /// chunk that has not been read.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(chunks: body.makeAsyncIterator(), permit: permit, open: open, context: context)
  }

  /// Iterates over the chunks of the body.
  public struct AsyncIterator: AsyncIteratorProtocol {
    var chunks: ResponseBody.AsyncIterator
    let permit: Permit?
    let open: OpenFetch?
    let context: FetchError.Context

    /// Returns the next chunk, which is never empty, or nil at the end of the body. The method runs on the given actor.
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(FetchError) -> Data? {
      guard chunks.storage != nil else { return nil }
      do throws(TransportError) {
        if open?.isCancelled != true, let chunk = try await chunks.next(isolation: actor) { return chunk }
        chunks.storage = nil
        // The source may have ended its body instead.
        if open?.isCancelled == true { throw .cancelled }
      } catch {
        end()
        throw FetchError(error, context)
      }
      end()
      return nil
    }

    private func end() {
      permit?.release()
      open?.end()
    }
  }
}

extension FetchClient {
  /// Sends a request and returns the response body as a stream.
  ///
  /// This method returns when the response head has been received. Before the method returns, status codes, redirects
  /// and retries are handled as in any other fetch. After that, the request is never retried. Unless the request sets
  /// `Accept-Encoding`, the client requests an uncompressed body.
  ///
  /// - Throws: The ``FetchError`` that ended the fetch before the body began. An error that occurs while the body is
  ///   being received is thrown by the iterator.
  public func stream(_ request: some HTTPRequestConvertible) async throws(FetchError) -> FetchStream {
    try await pipeline.stream(request.httpRequest())
  }
}
