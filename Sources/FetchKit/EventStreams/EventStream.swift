internal import Foundation

/// An asynchronous sequence of server-sent events that reconnects automatically. The implementation follows the WHATWG
/// HTML standard (§9.2).
///
/// ```swift
/// for try await event in client.events(url) {
///   print(event.type, event.data)
/// }
/// ```
///
/// - Each iteration opens its own connection when the first event is requested. When the connection ends or is lost, a
///   new connection is opened after the reconnection time. The reconnection time is 3 seconds unless the server sets it
///   with a `retry:` line. If several connections fail in a row, each further failure doubles the reconnection time, up
///   to one minute. If the server has sent an event ID, the client sends the most recent ID in the `Last-Event-ID`
///   field, so that the server can resume after that event.
/// - The sequence ends when the server responds with status code 204. The sequence throws an error if the status code
///   is neither 200 nor 204, if the content type is not `text/event-stream`, if the request cannot be sent, or if an
///   event is larger than ``maxEventSize``.
/// - Cancelling the task that reads the events, or releasing the iterator, closes the connection. If the transport
///   supports backpressure, the server sends events only as fast as you read them. On Linux, ``URLSessionTransport``
///   does not support backpressure. Instead, it buffers up to 16 MiB of unread data in memory, and the stream fails if
///   more data arrives.
///
/// The client's idle timeout, total timeout and body size limit do not apply to event streams, but a request can set
/// its own timeouts and its own body size limit.
public struct EventStream: AsyncSequence, Sendable {
  /// The error type of the iteration.
  public typealias Failure = FetchError

  /// The maximum size of one event, which is 1 MiB.
  public static let maxEventSize = 1 << 20

  let client: FetchClient
  let request: Result<HTTPRequest, FetchError>

  /// Creates an iterator that opens its own connection when the first event is requested.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(client: client, request: request)
  }

  /// Iterates over the events.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let client: FetchClient
    private var request: Result<HTTPRequest, FetchError>
    private var chunks: FetchStream.AsyncIterator?
    private var parser = EventStreamParser()
    private var events: ArraySlice<ServerSentEvent> = []
    private var hasConnected = false
    private var failures = 0
    private var isOver = false

    init(client: FetchClient, request: Result<HTTPRequest, FetchError>) {
      self.client = client
      self.request = request
    }

    /// Waits for the next event and returns it, or returns nil if the server has ended the stream with status code 204.
    public mutating func next() async throws(FetchError) -> ServerSentEvent? {
      try await next(isolation: nil)
    }

    /// Waits for the next event and returns it, or returns nil if the server has ended the stream with status code 204.
    /// The method runs on the given actor.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(FetchError) -> ServerSentEvent? {
      while !isOver {
        if let event = events.popFirst() { return event }
        do throws(FetchError) {
          try await read(isolation: actor)
        } catch {
          isOver = true
          throw error
        }
      }
      return nil
    }

    private mutating func read(isolation actor: isolated (any Actor)?) async throws(FetchError) {
      do throws(FetchError) {
        if chunks == nil { try await connect(isolation: actor) }
        guard let chunk = try await chunks?.next(isolation: actor) else {
          chunks = nil
          return
        }
        failures = 0
        events = parser.events(in: chunk)[...]
        if parser.bytes > EventStream.maxEventSize {
          throw .tooLarge(.body, limit: EventStream.maxEventSize, client.pipeline.context(of: try request.get()))
        }
      } catch {
        guard Self.isTransient(error) else { throw error }
        chunks = nil
        failures += 1
      }
    }

    private mutating func connect(isolation actor: isolated (any Actor)?) async throws(FetchError) {
      var request = try request.get()
      if hasConnected {
        do {
          try await client.pipeline.time.sleep(delay)
        } catch {
          throw .cancelled(client.pipeline.context(of: request))
        }
      }
      hasConnected = true
      if !parser.lastEventID.isEmpty { request.headers["Last-Event-ID"] = parser.lastEventID }
      parser.restart()
      let stream = try await client.stream(request)
      let response = stream.response
      if response.status == 204 {
        isOver = true
        return
      }
      let type = response.headers["Content-Type"]?.prefix { $0 != ";" }
      guard response.status == 200, let type, HTTPListField.trimmed(type).equalsIgnoringASCIICase("text/event-stream")
      else {
        throw .malformedResponse(reason: "the response is not an event stream", client.pipeline.context(of: request))
      }
      chunks = stream.makeAsyncIterator()
    }

    private var delay: Duration {
      let doublings = Swift.min(Swift.max(0, failures - 1), 10)
      return Swift.max(parser.retry, Swift.min(parser.retry * (1 << doublings), .seconds(60)))
    }

    /// Whether a new connection may succeed: true for network failures, false for anything the server responded.
    private static func isTransient(_ error: FetchError) -> Bool {
      switch error {
      case .connection(let fault, _): fault == .lost || fault.isTransientBeforeSending
      case .timeout(.connect, _), .timeout(.idle, _): true
      default: false
      }
    }
  }
}
