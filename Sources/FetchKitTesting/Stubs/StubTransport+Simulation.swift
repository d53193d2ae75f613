internal import FetchKit
internal import Foundation

extension StubTransport {
  /// Creates a transport that opens no socket but behaves as if it were connected to a ``LoopbackServer`` with the
  /// given handler. The transport simulates the faults in the handler's responses, and applies the timeouts and size
  /// limits of each request.
  ///
  /// ```swift
  /// let response = LoopbackResponse.text("hello").cut(
  ///   after: .body(bytes: 2), by: .reset)
  /// let stub = StubTransport(simulating: { _ in response }, clock: clock)
  /// ```
  ///
  /// The transport does not decompress bodies, and it ignores interim responses. If the handler returns a response
  /// created with `LoopbackResponse.raw`, the request fails with `TransportError.malformedResponse`.
  public convenience init(
    simulating handler: @escaping LoopbackServer.Handler, clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.init { request throws(TransportError) in
      try await Simulation(request, clock).run(handler)
    }
  }
}

/// One exchange with a simulated server.
private struct Simulation {
  /// How the body ends after its content has been received.
  fileprivate enum Ending: Sendable {
    case complete
    case fault(TransportError)
    case silence
  }

  private let request: TransportRequest
  private let clock: any Clock<Duration>

  init(_ request: TransportRequest, _ clock: any Clock<Duration>) {
    self.request = request
    self.clock = clock
  }

  func run(_ handler: LoopbackServer.Handler) async throws(TransportError) -> TransportResponse {
    let response = await answer(handler)
    if let delay = response.faults.delay { try await pause(delay) }
    // Only a client that streams the body notices that its beginning arrived before the gate opened.
    let gate = response.faults.gate
    var early: Int?
    if case .body(let bytes) = gate?.point, request.delivery == .stream { early = bytes }
    if let gate, early == nil { try await wait(for: gate.gate) }
    guard response.raw == nil else { throw .malformedResponse(reason: "a raw response cannot be simulated") }
    if let cut = response.faults.cut, let fault = try await headFault(cut) { throw fault }
    let headerBytes = response.headers.reduce(16) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
    guard headerBytes <= request.limits.headers else { throw .tooLarge(.headers, limit: request.limits.headers) }
    let head = ResponseHead(status: response.status, headers: response.headers)
    var (payload, ending) = visibleBody(response)
    let limit = request.limits.body(forStatus: response.status)
    if case .length(let declared) = response.framing, (declared ?? payload.count) > limit {
      throw .tooLarge(.body, limit: limit)
    }
    if payload.count > limit { (payload, ending) = (payload.prefix(limit), .fault(.tooLarge(.body, limit: limit))) }
    if let drip = response.faults.drip {
      try await pause(drip.every * Double(payload.count / drip.bytes), steps: drip.every)
    }
    guard request.delivery == .whole else {
      let held = gate.flatMap { gate in
        early.map { (gate: gate.gate, after: Self.visible($0, of: payload.count, response.framing)) }
      }
      return TransportResponse(head: head, body: ResponseBody(SimulatedBody(payload, held, ending, self)))
    }
    try await finish(ending)
    return TransportResponse(head: head, body: ResponseBody(payload))
  }

  fileprivate func finish(_ ending: Ending) async throws(TransportError) {
    switch ending {
    case .complete: break
    case .fault(let error): throw error
    case .silence: throw try await silence()
    }
  }

  private func answer(_ handler: LoopbackServer.Handler) async -> LoopbackResponse {
    var body = Data()
    if case .data(let data) = request.body.content { body = data }
    let parts = URLComponents(url: request.url, resolvingAgainstBaseURL: true)
    let path = parts?.percentEncodedPath ?? ""
    let target = (path.isEmpty ? "/" : path) + (parts?.percentEncodedQuery.map { "?\($0)" } ?? "")
    let received = LoopbackRequest(
      method: request.method, target: target, headers: request.headers, body: body, bodyLength: body.count,
      connection: 1, parameters: [:])
    do {
      return try await handler(received)
    } catch {
      return .text("the handler threw \(error)", status: 500)
    }
  }

  private func headFault(
    _ cut: (point: LoopbackResponse.Point, by: LoopbackResponse.Break)
  ) async throws(TransportError) -> TransportError? {
    switch (cut.point, cut.by) {
    case (.body, _): return nil
    case (_, .stall): return try await silence()
    case (.head, .close), (.head, .halfClose): return .malformedResponse(reason: "the response head is incomplete")
    case (.start, _), (.head, .reset): return .connection(.lost, detail: "simulated")
    }
  }

  /// Returns the part of the body that a client sees, and how it ends.
  private func visibleBody(_ response: LoopbackResponse) -> (Data, Ending) {
    guard request.method != .head, ![204, 304].contains(response.status) else { return (Data(), .complete) }
    var payload = response.body.data
    var ending = Ending.complete
    if case .length(let declared?) = response.framing {
      if declared > payload.count {
        ending = response.faults.closesAfterwards ? .fault(.connection(.lost, detail: "simulated")) : .silence
      }
      payload = payload.prefix(declared)
    }
    guard let cut = response.faults.cut, case .body(let sent) = cut.point else { return (payload, ending) }
    let visible = Self.visible(sent, of: payload.count, response.framing)
    if case .untilClose = response.framing, cut.by == .close || cut.by == .halfClose {
      return (payload.prefix(visible), .complete)
    }
    if visible == payload.count, case .length = response.framing { return (payload, ending) }
    return (payload.prefix(visible), cut.by == .stall ? .silence : .fault(.connection(.lost, detail: "simulated")))
  }

  /// Returns how much of the payload a number of bytes of the framed body contains.
  private static func visible(_ sent: Int, of count: Int, _ framing: LoopbackResponse.Framing) -> Int {
    guard case .chunked(let size) = framing else { return min(sent, count) }
    var (left, seen) = (sent, 0)
    while seen < count {
      let chunk = min(size, count - seen)
      let head = String(chunk, radix: 16).utf8.count + 2
      seen += max(0, min(chunk, left - head))
      left -= head + chunk + 2
      if left <= 0 { break }
    }
    return seen
  }

  /// Waits the way a client waits for a silent server.
  private func pause(_ duration: Duration, steps: Duration? = nil) async throws(TransportError) {
    let timeouts = request.timeouts
    if let idle = timeouts.idle, idle <= (steps ?? duration), idle <= timeouts.total ?? idle {
      try await sleep(idle)
      throw .timeout(.idle)
    }
    if let total = timeouts.total, total <= duration {
      try await sleep(total)
      throw .timeout(.total)
    }
    try await sleep(duration)
  }

  fileprivate func wait(for gate: LoopbackGate) async throws(TransportError) {
    do {
      try await withTimeout(request.timeouts.total, TimeSource(clock)) {
        await withCheckedContinuation { continuation in gate.whenOpen { continuation.resume() } }
      }
    } catch is TimeoutError {
      throw .timeout(.total)
    } catch {
      throw .cancelled
    }
  }

  private func silence() async throws(TransportError) -> TransportError {
    try await pause(.seconds(1_000_000_000))
    return .connection(.lost, detail: "simulated")
  }

  private func sleep(_ duration: Duration) async throws(TransportError) {
    do {
      try await clock.sleep(for: duration)
    } catch {
      throw .cancelled
    }
  }
}

/// The content of a body, held back at a gate if there is one, followed by its ending.
private final class SimulatedBody: ResponseBodySource {
  private struct State {
    var payload: Data
    var gate: (gate: LoopbackGate, after: Int)?
    var isCancelled = false
    var reading: Task<Result<Data?, TransportError>, Never>?
  }

  private let state: Lock<State>
  private let ending: Simulation.Ending
  private let simulation: Simulation

  init(
    _ payload: Data, _ gate: (gate: LoopbackGate, after: Int)?, _ ending: Simulation.Ending, _ simulation: Simulation
  ) {
    state = Lock(State(payload: payload, gate: gate))
    self.ending = ending
    self.simulation = simulation
  }

  func next() async throws(TransportError) -> Data? {
    let task = Task {
      do throws(TransportError) { return Result<Data?, TransportError>.success(try await read()) } catch {
        return .failure(error)
      }
    }
    let isCancelled = state.withLock { state in
      state.reading = task
      return state.isCancelled
    }
    if isCancelled { task.cancel() }
    return try await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }.get()
  }

  private func read() async throws(TransportError) -> Data? {
    guard !Task.isCancelled else { throw .cancelled }
    let early = state.withLock { state in
      guard let gate = state.gate else { return Data() }
      defer { (state.payload, state.gate) = (state.payload.dropFirst(gate.after), (gate.gate, 0)) }
      return state.payload.prefix(gate.after)
    }
    if !early.isEmpty { return Data(early) }
    if let gate = state.withLock({ $0.gate?.gate }) {
      try await simulation.wait(for: gate)
      state.withLock { $0.gate = nil }
    }
    let rest = state.withLock { state in
      defer { state.payload = Data() }
      return state.payload
    }
    if !rest.isEmpty { return Data(rest) }
    try await simulation.finish(ending)
    return nil
  }

  func cancel() {
    let reading = state.withLock { state in
      state.isCancelled = true
      return state.reading
    }
    reading?.cancel()
  }
}
