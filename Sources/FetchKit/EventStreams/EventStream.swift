internal import Foundation

/// The events of a server, connection after connection: server-sent events by the algorithm of the WHATWG (HTML
/// standard, §9.2), as an asynchronous sequence.
///
/// ```swift
/// for try await event in client.events(url) {
///   print(event.type, event.data)
/// }
/// ```
///
/// - Each iteration has a connection of its own, made when the first event is asked for. When it ends or is lost, the
///   next is made after the time the server asked for (`retry:`; 3 seconds unless it did), doubled for each time in a
///   row that none could be made, up to a minute. `Last-Event-ID` tells the server where to go on.
/// - The sequence ends when the server answers with 204. It throws where the answer has another status than 200 or
///   another type than `text/event-stream`, where the request cannot be sent, and where an event is larger than
///   allowed.
/// - Cancelling the task, or letting go of the iterator, ends the connection. Slow reading holds the server back, as
///   far as the transport can: over ``URLSessionTransport`` 16 MiB wait in memory, and more is an error.
///
/// Neither the idle nor the total deadline of the client counts, unless the request sets its own; nor does the limit of
/// a body.
public struct EventStream: AsyncSequence, Sendable {
  /// What iteration throws.
  public typealias Failure = FetchError

  /// The most bytes of one event: 1 MiB.
  public static let mostBytes = 1 << 20

  let client: FetchClient
  let request: Result<HTTPRequest, FetchError>

  /// Starts listening from the beginning.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(client: client, request: request)
  }

  /// Hands out the events.
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

    /// The next event; nil when the server has no more.
    public mutating func next() async throws(FetchError) -> ServerSentEvent? {
      try await next(isolation: nil)
    }

    /// The next event, without leaving the caller's actor; nil when the server has no more.
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
        if parser.bytes > EventStream.mostBytes {
          throw .tooLarge(.body, limit: EventStream.mostBytes, client.pipeline.context(of: try request.get()))
        }
      } catch {
        guard Self.isPassing(error) else { throw error }
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
      parser.startAnew()
      let stream = try await client.stream(request)
      let response = stream.response
      if response.status == 204 {
        isOver = true
        return
      }
      let type = response.headers["Content-Type"]?.prefix { $0 != ";" }
      guard response.status == 200, let type, FieldMembers.trimmed(type).equalsIgnoringASCIICase("text/event-stream")
      else {
        throw .malformedResponse(reason: "not a stream of events", client.pipeline.context(of: request))
      }
      chunks = stream.makeAsyncIterator()
    }

    private var delay: Duration {
      let doublings = Swift.min(Swift.max(0, failures - 1), 10)
      return Swift.max(parser.retry, Swift.min(parser.retry * (1 << doublings), .seconds(60)))
    }

    /// Whether a new connection may do better: the network's faults, and nothing that the server has said.
    private static func isPassing(_ error: FetchError) -> Bool {
      switch error {
      case .connection(let fault, _): fault == .lost || fault.mayPassUnsent
      case .timeout(.connect, _), .timeout(.idle, _): true
      default: false
      }
    }
  }
}
