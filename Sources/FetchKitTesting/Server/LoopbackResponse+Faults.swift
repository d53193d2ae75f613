extension LoopbackResponse {
  /// A position in a response.
  public enum Point: Sendable {
    /// Before anything has been sent.
    case start
    /// After the given number of bytes of the head.
    case head(bytes: Int)
    /// After the given number of bytes of the body, including its framing.
    case body(bytes: Int)
  }

  /// How a response is interrupted.
  public enum Break: Sendable, Hashable {
    /// The connection is closed gracefully.
    case close
    /// The connection is reset.
    case reset
    /// The server closes its sending half of the connection but still reads.
    case halfClose
    /// Nothing more is sent. The connection stays open until the client closes it or the server's `stop()` is called.
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

  /// Sends nothing until the delay has passed.
  public func delayed(by delay: Duration) -> LoopbackResponse {
    with { $0.faults.delay = delay }
  }

  /// Stops sending at a point until the gate opens.
  public func held(at gate: LoopbackGate, after point: Point = .start) -> LoopbackResponse {
    with { $0.faults.gate = (gate, point) }
  }

  /// Interrupts the response at a point.
  public func cut(after point: Point, by way: Break = .close) -> LoopbackResponse {
    with { $0.faults.cut = (point, way) }
  }

  /// Sends the given number of bytes at a time and waits between the pieces, but not after the last one.
  public func dripping(bytes: Int = 1, every interval: Duration) -> LoopbackResponse {
    with { $0.faults.drip = (max(1, bytes), interval) }
  }

  /// Declares a length regardless of the actual body. If the length is too large, the client keeps waiting unless the
  /// response is also ``closing()``.
  public func declaring(length: Int) -> LoopbackResponse {
    with { $0.framing = .length(length) }
  }

  /// Sends the body with chunked transfer encoding.
  public func chunked(size: Int = 1024) -> LoopbackResponse {
    with { $0.framing = .chunked(size: max(1, size)) }
  }

  /// Sends the body without framing. The body ends when the connection closes.
  public func untilClose() -> LoopbackResponse {
    with { $0.framing = .untilClose }
  }

  /// Closes the connection after the response, without announcing this in the header fields.
  public func closing() -> LoopbackResponse {
    with { $0.faults.closesAfterwards = true }
  }

  /// Sends an interim response first, such as `103 Early Hints`.
  public func preceded(by statusLine: String) -> LoopbackResponse {
    with { $0.faults.interim.append(statusLine) }
  }

  private func with(_ change: (inout LoopbackResponse) -> Void) -> LoopbackResponse {
    var copy = self
    change(&copy)
    return copy
  }
}
