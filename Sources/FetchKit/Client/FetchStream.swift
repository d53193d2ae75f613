public import Foundation

/// A response whose body is an asynchronous sequence of chunks. It can be read only once.
///
/// ```swift
/// let stream = try await client.stream(url)
/// for try await chunk in stream { try output.write(contentsOf: chunk) }
/// ```
///
/// Reading slowly slows the server down if the transport supports backpressure. Cancelling the reading task, or
/// releasing the stream and its iterator, ends the transfer. Until the transfer ends, the stream counts toward
/// ``ConcurrencyLimits``.
public struct FetchStream: AsyncSequence, Sendable {
  /// The error type of the iteration.
  public typealias Failure = FetchError

  /// The response, with its status code, its header fields and information about how it was obtained. Its body is
  /// empty.
  public let response: FetchResponse
  private let body: ResponseBody
  private let permit: Permit?
  private let context: FetchError.Context

  init(_ response: FetchResponse, _ body: ResponseBody, _ permit: Permit?, _ context: FetchError.Context) {
    self.response = response
    self.body = body
    self.permit = permit
    self.context = context
  }

  /// Creates an iterator and starts reading. A second iterator continues where the first one stopped.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(chunks: body.makeAsyncIterator(), permit: permit, context: context)
  }

  /// Iterates over the chunks of the body.
  public struct AsyncIterator: AsyncIteratorProtocol {
    var chunks: ResponseBody.AsyncIterator
    let permit: Permit?
    let context: FetchError.Context

    /// Returns the next chunk, which is never empty, or nil at the end.
    public mutating func next() async throws(FetchError) -> Data? {
      try await next(isolation: nil)
    }

    /// Returns the next chunk, which is never empty, or nil at the end. This method does not leave the caller's actor.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(FetchError) -> Data? {
      do throws(TransportError) {
        if let chunk = try await chunks.next(isolation: actor) { return chunk }
      } catch {
        permit?.release()
        throw FetchError(error, context)
      }
      permit?.release()
      return nil
    }
  }
}

extension FetchClient {
  /// Performs a request and returns the response body as a stream.
  ///
  /// This method returns when the response head has been received. Until then, status codes, redirects and retries are
  /// handled as they are for a complete response. Once the body has begun, the request is never retried. The client
  /// requests an uncompressed body.
  ///
  /// - Throws: The ``FetchError`` that ended the fetch before the body began. Later errors are thrown during iteration.
  public func stream(_ request: some HTTPRequestConvertible) async throws(FetchError) -> FetchStream {
    try await pipeline.stream(request.httpRequest())
  }
}
