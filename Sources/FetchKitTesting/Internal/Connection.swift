internal import Dispatch
internal import FetchKit
internal import Foundation

/// One accepted connection. Reads requests, obtains their responses and sends them in order.
///
/// `@unchecked Sendable`: all state is accessed only on `queue`, which is serial.
final class Connection: @unchecked Sendable {
  private enum Activity {
    /// There is nothing to send. Requests are parsed as they arrive.
    case reading
    /// Steps are being sent.
    case sending
    /// Waiting for a handler, a timer or a gate.
    case waiting
    /// The socket's send buffer is full. Sending is retried after a short pause.
    case full
    /// Nothing more will be sent, but the connection stays open.
    case stalled
    /// The connection belongs to a WebSocket, which sends and receives when it wants.
    case switched(LoopbackSocket)
  }

  private static let largestBacklog = 1 << 20

  let number: Int
  private let socket: Socket
  private let queue: DispatchQueue
  private let routes: Routes
  private let ended: (Connection) -> Void
  private let readSource: any DispatchSourceRead
  private var isWatched = true
  private var isReadingPaused = false
  private var hasClientEnded = false
  private var isClosed = false

  private var parser: RequestParser
  private var early: (answer: Routes.Answer, bodyBytes: Int, head: LoopbackRequest)?
  private var ignoresCurrentRequest = false
  private var activity = Activity.reading
  /// The WebSocket that the connection belongs to.
  private var socketPeer: LoopbackSocket?
  private var steps: ArraySlice<SendStep> = []
  private var outgoing = Data()
  /// The pause before the next attempt to send, in milliseconds.
  private var pause = 1

  init(
    _ socket: Socket, number: Int, queue: DispatchQueue, routes: Routes, ended: @escaping (Connection) -> Void
  ) {
    self.socket = socket
    self.number = number
    self.queue = queue
    self.routes = routes
    self.ended = ended
    parser = RequestParser(connection: number, maxStoredBodySize: LoopbackServer.maxStoredBodySize)
    readSource = DispatchSource.makeReadSource(fileDescriptor: socket.descriptor, queue: queue)
  }

  func start() {
    readSource.setEventHandler { [self] in readAvailable() }
    readSource.setCancelHandler { [self] in
      isWatched = false
      if isClosed { closeSocket() }
    }
    readSource.activate()
    guard let fault = routes.faultForNextConnection() else { return }
    begin([.end(fault)])
    pump()
  }

  /// Ends the connection. The descriptor is closed once it is no longer watched.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    socketPeer?.noteEnd()
    (socketPeer, activity) = (nil, .stalled)
    if isReadingPaused { readSource.resume() }
    readSource.cancel()
    if !isWatched { closeSocket() }
  }

  private func closeSocket() {
    socket.close()
    ended(self)
  }

  private func readAvailable() {
    guard !isClosed else { return }
    let outcome = withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 1) { buffer in
      let outcome = socket.read(into: buffer)
      if case .count(let count) = outcome { parser.append(buffer[..<count]) }
      return outcome
    }
    switch outcome {
    case .count:
      if let socketPeer { return socketPeer.receive(parser.takeRest()) }
      if case .reading = activity { return pump() }
      if parser.backlog > Self.largestBacklog, !isReadingPaused {
        isReadingPaused = true
        readSource.suspend()
      }
    case .wouldBlock: break
    case .ended:
      hasClientEnded = true
      readSource.cancel()
      socketPeer?.noteEnd()
      closeIfAbandoned()
    }
  }

  /// A client that has stopped sending may still read. Everything that can be sent is sent, which fails if the client
  /// is gone. The connection does not wait for anything else, because only sending reveals whether the client is gone.
  private func closeIfAbandoned() {
    guard hasClientEnded else { return }
    switch activity {
    case .full: break
    default: close()
    }
  }

  private func pump() {
    while !isClosed {
      switch activity {
      case .reading:
        resumeReading()
        guard readNextRequest() else { return closeIfAbandoned() }
      case .sending: sendNext()
      case .waiting, .full, .stalled, .switched: return closeIfAbandoned()
      }
    }
  }

  private func resumeReading() {
    guard isReadingPaused else { return }
    isReadingPaused = false
    readSource.resume()
  }

  /// Returns false if more bytes are needed.
  private func readNextRequest() -> Bool {
    switch parser.next() {
    case .head(let head, let expectsContinue):
      ignoresCurrentRequest = false
      switch routes.earlyAnswer(to: head) {
      case (let answer, let bodyBytes)?: early = (answer, bodyBytes, head)
      case nil: if expectsContinue { begin([.send(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8))]) }
      }
    case .complete(let request):
      if ignoresCurrentRequest { break }
      let answer = early?.answer ?? routes.answer(to: request)
      early = nil
      routes.record(request)
      give(answer, to: request)
    case .malformed(let status):
      begin(LoopbackResponse.status(status).closing().steps(for: nil))
    case nil:
      guard let (answer, bodyBytes, head) = early, parser.bodyLength >= bodyBytes else { return false }
      early = nil
      ignoresCurrentRequest = true
      routes.record(head)
      give(answer, to: head)
    }
    return true
  }

  private func give(_ answer: Routes.Answer, to request: LoopbackRequest) {
    switch answer {
    case .response(let response): begin(response.steps(for: request))
    case .handler(let handler, let parameters):
      activity = .waiting
      var request = request
      request.parameters = parameters
      Task { [request] in
        let response: LoopbackResponse
        do {
          response = try await handler(request)
        } catch {
          response = .text("the handler threw \(error)", status: 500)
        }
        queue.async { [self] in
          begin(response.steps(for: request))
          pump()
        }
      }
    }
  }

  private func begin(_ steps: [SendStep]) {
    self.steps = steps[...]
    activity = .sending
  }

  private func sendNext() {
    guard outgoing.isEmpty else { return flush() }
    guard let step = steps.popFirst() else {
      activity = socketPeer.map { .switched($0) } ?? .reading
      return
    }
    switch step {
    case .send(let data): outgoing = data
    case .sendRepeated(let data, let count):
      guard count > 0, !data.isEmpty else { return }
      let batch = min(count, max(1, (64 << 10) / data.count))
      outgoing = data
      for _ in 1..<batch { outgoing.append(data) }
      steps = [.sendRepeated(data, count: count - batch)] + steps
    case .steps(let again, let count):
      guard count > 0 else { return }
      steps = again + [.steps(again, count: count - 1)] + steps
    case .wait(let duration):
      activity = .waiting
      queue.asyncAfter(deadline: .now() + .nanoseconds(duration.nanoseconds)) { [self] in goOn() }
    case .hold(let gate):
      activity = .waiting
      gate.whenOpen { [self] in queue.async { [self] in goOn() } }
    case .openSocket(let handler, let request, let subprotocol):
      let socket = LoopbackSocket(self, request, subprotocol: subprotocol)
      self.socketPeer = socket
      activity = .switched(socket)
      resumeReading()
      socket.receive(parser.takeRest())
      Task { await socket.run(handler) }
    case .end(.stall): activity = .stalled
    case .end(.close): close()
    case .end(.halfClose):
      socket.shutDownSending()
      activity = .stalled
    case .end(.reset):
      socket.resetOnClose()
      close()
    }
  }

  private func goOn() {
    guard !isClosed else { return }
    activity = .sending
    pump()
  }

  /// Sends bytes of a WebSocket.
  func send(_ bytes: Data) {
    queue.async { [self] in
      guard !isClosed else { return }
      outgoing.append(bytes)
      if case .switched = activity { begin([]) }
      if case .sending = activity { pump() }
    }
  }

  /// Ends the connection of a WebSocket after what it has sent.
  func end(_ way: LoopbackResponse.Break) {
    queue.async { [self] in
      guard !isClosed else { return }
      switch activity {
      case .switched, .stalled, .reading:
        begin([.end(way)])
        pump()
      default: steps.append(.end(way))
      }
    }
  }

  private func flush() {
    switch outgoing.withUnsafeBytes({ socket.write($0) }) {
    case .count(let count):
      outgoing = count == outgoing.count ? Data() : outgoing.dropFirst(count)
      pause = 1
    case .wouldBlock: waitForRoom()
    case .ended: close()
    }
  }

  /// Retries after a pause instead of using a write source. On Linux, Dispatch removes a socket when it is reset. A
  /// source created shortly afterward, while the read source still exists, never receives an event.
  private func waitForRoom() {
    activity = .full
    queue.asyncAfter(deadline: .now() + .milliseconds(pause)) { [self] in goOn() }
    pause = min(2 * pause, 16)
  }
}
