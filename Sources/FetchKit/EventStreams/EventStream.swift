internal import Foundation

/// An asynchronous sequence of server-sent events. The implementation follows the WHATWG HTML standard (§9.2).
///
/// ```swift
/// for try await event in client.events(url) {
///   print(event.type, event.data)
/// }
/// ```
///
/// - Each iteration opens its own connection when the first event is requested. When the connection ends or cannot be
///   opened, another one is opened as the ``ReconnectionPolicy`` says, after no less than the time that the server has
///   set with a `retry:` line, which counts as 0.1 seconds to one hour. If the server has sent an event ID, the client
///   sends the most recent ID in the `Last-Event-ID` field, so that the server can resume after that event.
/// - By default, the connection of a GET request is opened again, with a first limit of the delay of 3 seconds. Any
///   other request is sent once, because sending it again could have its effect twice: the sequence ends when the
///   response does. If the connection is lost, it throws an error whose ``FetchError/Context/lastEventID`` is the most
///   recent ID.
/// - The sequence ends when the server responds with status code 204. The sequence throws an error if the status code
///   is neither 200 nor 204, unless the policy reconnects, as it does by default after 429, 503 and others
///   (``StatusFailure/isRetryable``), unlike a browser; if the content type is not `text/event-stream`, if the request
///   cannot be sent, or if an event is larger than ``maxEventSize``.
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

  let client: FetchClient
  let request: Result<HTTPRequest, FetchError>
  let reconnection: ReconnectionPolicy

  /// Creates an iterator that opens its own connection when the first event is requested.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

  /// Iterates over the events.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let stream: EventStream
    private var chunks: FetchStream.AsyncIterator?
    private var parser = EventStreamParser()
    private var events: ArraySlice<ServerSentEvent> = []
    private var reconnection: ReconnectionState
    /// The delay before another connection.
    private var delay: Duration?
    private var openedAt = Duration.zero
    private var isOver = false
    /// From the first connection on.
    private var open: OpenFetch?

    init(_ stream: EventStream) {
      self.stream = stream
      reconnection = ReconnectionState(stream.reconnection)
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
          isOver = isOver || !prepareReconnection(after: nil)
          return
        }
        events = parser.events(in: chunk)[...]
        if !events.isEmpty { reconnection.noteConnection(isResumed: true, openFor: .zero) }
        if events.isEmpty, parser.bytes > EventStream.maxEventSize {
          throw .tooLarge(.body, limit: EventStream.maxEventSize, pipeline.context(of: try stream.request.get()))
        }
      } catch {
        guard prepareReconnection(after: error) else { throw error }
      }
    }

    /// Returns whether there is to be another connection.
    private mutating func prepareReconnection(after error: FetchError?) -> Bool {
      // The caller's own limit.
      if case .timeout(.total, _)? = error { return false }
      if chunks != nil {
        reconnection.noteConnection(isResumed: false, openFor: pipeline.time.now() - openedAt)
        chunks = nil
      }
      let configuration = pipeline.configuration
      let pause = reconnection.delay(after: error, random: configuration.random(), now: configuration.date())
      // Not in a hot loop, whatever the policy says.
      delay = pause.map { Swift.max($0, parser.retry, .milliseconds(100)) }
      return pause != nil
    }

    private mutating func connect(isolation actor: isolated (any Actor)?) async throws(FetchError) {
      var request = try stream.request.get()
      if open == nil { open = try pipeline.begin(request) }
      if let delay {
        do {
          try await open.run { [time = pipeline.time] in try await time.sleep(delay) }
        } catch {
          throw .cancelled(pipeline.context(of: request))
        }
      }
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
      openedAt = pipeline.time.now()
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
    case .status(let failure, _): .status(failure, context)
    case .tooLarge(let part, let limit, _): .tooLarge(part, limit: limit, context)
    default: self
    }
  }
}
