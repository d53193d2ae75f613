public import Foundation

/// A response whose body is read as it comes: an asynchronous sequence of chunks, read once.
///
/// ```swift
/// let stream = try await client.stream(url)
/// for try await chunk in stream { try output.write(contentsOf: chunk) }
/// ```
///
/// Reading slowly holds the server back, as far as the transport can. Cancelling the reading task, or dropping the
/// stream and its iterator, ends the transfer. The stream counts as under way for ``ConcurrencyLimits`` until then.
public struct FetchStream: AsyncSequence, Sendable {
  /// What iteration throws.
  public typealias Failure = FetchError

  /// Status, fields and how it came; its body is empty.
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

  /// Starts reading; a second iterator continues where the first is.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(chunks: body.makeAsyncIterator(), permit: permit, context: context)
  }

  /// Hands out the chunks.
  public struct AsyncIterator: AsyncIteratorProtocol {
    var chunks: ResponseBody.AsyncIterator
    let permit: Permit?
    let context: FetchError.Context

    /// The next chunk, not empty; nil at the end.
    public mutating func next() async throws(FetchError) -> Data? {
      try await next(isolation: nil)
    }

    /// The next chunk, not empty; nil at the end; without leaving the caller's actor.
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
