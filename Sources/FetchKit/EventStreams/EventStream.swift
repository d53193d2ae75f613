internal import Foundation

/// An asynchronous sequence of server-sent events. The implementation follows the WHATWG HTML standard (§9.2).
///
/// ```swift
/// for try await event in client.events(url) {
///   print(event.type, event.data)
/// }
/// ```
///
/// - Each iteration opens its own connection when the first event is requested. When the connection of a GET request
///   ends or is lost, a new connection is opened after the reconnection time. The reconnection time is 3 seconds unless
///   the server sets it with a `retry:` line, and at least 0.1 seconds. If several connections fail or end without a
///   byte in a row, each further one doubles the reconnection time, up to one minute. If the server has sent an event
///   ID, the client sends the most recent ID in the `Last-Event-ID` field, so that the server can resume after that
///   event.
/// - Any other request is sent once, because sending it again could have its effect twice: the sequence ends when the
///   response does. If the connection is lost, it throws an error whose ``FetchError/Context/lastEventID`` is the most
///   recent ID. To send such a request again as if it were a GET request, pass `reconnects: true` to
///   ``FetchClient/events(_:reconnects:waitsWhenBusy:idle:)``.
/// - The sequence ends when the server responds with status code 204. The sequence throws an error if the status code
///   is neither 200 nor 204, if the content type is not `text/event-stream`, if the request cannot be sent, or if an
///   event is larger than ``maxEventSize``. With `waitsWhenBusy: true`, a busy server's `Retry-After` delays the next
///   connection instead.
/// - Cancelling the task that reads the events, or releasing the iterator, closes the connection. If the transport
///   supports backpressure, the server sends events only as fast as you read them. On Linux, ``URLSessionTransport``
///   does not support backpressure. Instead, it buffers up to 16 MiB of unread data in memory, and the stream fails if
///   more data arrives.
///
/// The client's idle timeout, total timeout and body size limit do not apply to event streams. Pass `idle:` to notice a
/// server that has gone silent. A request can set its own timeouts and its own body size limit. If you set its
/// timeouts, set ``Timeouts/total`` to nil, because the stream throws when the total timeout expires.
public struct EventStream: AsyncSequence, Sendable {
  /// The error type of the iteration.
  public typealias Failure = FetchError

  /// The maximum size of one event, which is 1 MiB.
  public static let maxEventSize = 1 << 20
  fileprivate static let longestRetryAfter = Duration.seconds(3600)

  let client: FetchClient
  let request: Result<HTTPRequest, FetchError>
  let reconnects: Bool
  let waitsWhenBusy: Bool

  /// Creates an iterator that opens its own connection when the first event is requested.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

  /// Iterates over the events.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let stream: EventStream
    private var chunks: FetchStream.AsyncIterator?
    private var parser = EventStreamParser()
    private var events: ArraySlice<ServerSentEvent> = []
    private var hasConnected = false
    /// Whether the current connection has delivered anything.
    private var hasRead = false
    private var failures = 0
    /// The delay that a busy server has asked for before the next connection.
    private var retryAfter: Duration?
    private var isOver = false
    /// From the first connection on.
    private var open: OpenFetch?

    init(_ stream: EventStream) {
      self.stream = stream
    }

    private var pipeline: Pipeline { stream.client.pipeline }

    /// Waits for the next event and returns it, or returns nil at the end of the stream. The method runs on the given
    /// actor.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(FetchError) -> ServerSentEvent? {
      while !isOver {
        if let event = events.popFirst() { return event }
        do throws(FetchError) {
          try await read(isolation: actor)
        } catch {
          isOver = true
          open?.end()
          throw error.interrupting(after: parser.lastEventID)
        }
      }
      open?.end()
      return nil
    }

    private mutating func read(isolation actor: isolated (any Actor)?) async throws(FetchError) {
      do throws(FetchError) {
        if chunks == nil { try await connect(isolation: actor) }
        if let open, open.isCancelled { throw .cancelled(pipeline.context(of: try stream.request.get())) }
        guard let chunk = try await chunks?.next(isolation: actor) else {
          if chunks != nil, !hasRead { failures += 1 }
          chunks = nil
          isOver = isOver || !stream.reconnects
          return
        }
        failures = 0
        hasRead = true
        events = parser.events(in: chunk)[...]
        if parser.bytes > EventStream.maxEventSize {
          throw .tooLarge(.body, limit: EventStream.maxEventSize, pipeline.context(of: try stream.request.get()))
        }
      } catch {
        if stream.waitsWhenBusy { retryAfter = delay(requestedBy: error) }
        guard stream.reconnects, retryAfter != nil || Self.isTransient(error) else { throw error }
        chunks = nil
        failures += 1
      }
    }

    private mutating func connect(isolation actor: isolated (any Actor)?) async throws(FetchError) {
      var request = try stream.request.get()
      if open == nil { open = try pipeline.begin(request) }
      if hasConnected {
        do {
          try await open.run { [time = pipeline.time, delay] in try await time.sleep(delay) }
        } catch {
          throw .cancelled(pipeline.context(of: request))
        }
      }
      (hasConnected, retryAfter) = (true, nil)
      if !parser.lastEventID.isEmpty { request.headers["Last-Event-ID"] = parser.lastEventID }
      parser.restart()
      let source = try await pipeline.stream(request, within: open)
      let response = source.response
      if response.status == 204 {
        isOver = true
        return
      }
      let type = response.headers["Content-Type"]?.prefix { $0 != ";" }
      guard response.status == 200, let type, HTTPListField.trimmed(type).equalsIgnoringASCIICase("text/event-stream")
      else {
        throw .malformedResponse(reason: "the response is not an event stream", pipeline.context(of: request))
      }
      chunks = source.makeAsyncIterator()
      hasRead = false
    }

    private var delay: Duration {
      let doublings = Swift.min(Swift.max(0, failures - 1), 10)
      let retry = Swift.max(parser.retry, .milliseconds(100))
      return Swift.max(retryAfter ?? retry, retry, Swift.min(retry * (1 << doublings), .seconds(60)))
    }

    private func delay(requestedBy error: FetchError) -> Duration? {
      guard case .status(let failure, _) = error, [429, 503].contains(failure.status) else { return nil }
      let delay = RetryAfter.delay(after: failure.status, failure.headers, now: pipeline.configuration.date())
      return delay.flatMap { $0 <= EventStream.longestRetryAfter ? $0 : nil }
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

extension FetchError {
  /// The error of a stream that was interrupted after an event ID.
  fileprivate func interrupting(after id: String) -> FetchError {
    if id.isEmpty { return self }
    var context = context
    context.lastEventID = id
    return switch self {
    case .connection(let fault, _): .connection(fault, context)
    case .timeout(let phase, _): .timeout(phase, context)
    case .malformedResponse(let reason, _): .malformedResponse(reason: reason, context)
    default: self
    }
  }
}
