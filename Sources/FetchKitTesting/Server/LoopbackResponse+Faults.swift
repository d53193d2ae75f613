extension LoopbackResponse {
  /// A place in a response.
  public enum Point: Sendable {
    /// Nothing has been sent.
    case start
    /// That many bytes of the head have been sent.
    case head(bytes: Int)
    /// That many bytes of the body, its framing counted, have been sent.
    case body(bytes: Int)
  }

  /// How a response is broken off.
  public enum Break: Sendable, Hashable {
    /// The connection is closed in good order.
    case close
    /// The connection is reset.
    case reset
    /// The sending half is closed; the server still reads.
    case halfClose
    /// Nothing more is sent, and the connection stays open until the client or the server's `stop()` ends it.
    case stall
  }

  struct Faults: Sendable {
    var delay: Duration?
    var gate: (gate: LoopbackGate, point: Point)?
    var cut: (point: Point, by: Break)?
    var drip: (bytes: Int, every: Duration)?
    var interim: [String] = []
    var closesAfterwards = false
  }

  /// Sends nothing before that time has passed.
  public func delayed(by delay: Duration) -> LoopbackResponse {
    with { $0.faults.delay = delay }
  }

  /// Goes no further than that point until the gate opens.
  public func held(at gate: LoopbackGate, after point: Point = .start) -> LoopbackResponse {
    with { $0.faults.gate = (gate, point) }
  }

  /// Breaks off at that point.
  public func cut(after point: Point, by way: Break = .close) -> LoopbackResponse {
    with { $0.faults.cut = (point, way) }
  }

  /// Sends so many bytes at a time and waits in between.
  public func dripping(bytes: Int = 1, every interval: Duration) -> LoopbackResponse {
    with { $0.faults.drip = (max(1, bytes), interval) }
  }

  /// Says that length whatever the body's is. Too long a length leaves the client waiting unless the response also
  /// ``closing()``.
  public func declaring(length: Int) -> LoopbackResponse {
    with { $0.framing = .length(length) }
  }

  /// Sends the body in chunks.
  public func chunked(size: Int = 1024) -> LoopbackResponse {
    with { $0.framing = .chunked(size: max(1, size)) }
  }

  /// Sends the body without any framing: its end is the connection's.
  public func untilClose() -> LoopbackResponse {
    with { $0.framing = .untilClose }
  }

  /// Closes the connection afterwards without having said so.
  public func closing() -> LoopbackResponse {
    with { $0.faults.closesAfterwards = true }
  }

  /// Sends an interim response first, as in `103 Early Hints`.
  public func preceded(by statusLine: String) -> LoopbackResponse {
    with { $0.faults.interim.append(statusLine) }
  }

  private func with(_ change: (inout LoopbackResponse) -> Void) -> LoopbackResponse {
    var copy = self
    change(&copy)
    return copy
  }
}
