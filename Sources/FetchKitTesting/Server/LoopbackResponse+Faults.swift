extension LoopbackResponse {
  /// A point in a response at which the response can be held or interrupted.
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
    /// The server closes its sending half of the connection but still reads from the client.
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

  /// Returns a copy of the response that is sent only after the given delay.
  public func delayed(by delay: Duration) -> LoopbackResponse {
    with { $0.faults.delay = delay }
  }

  /// Returns a copy of the response that stops at the given point until the gate opens.
  public func held(at gate: LoopbackGate, after point: Point = .start) -> LoopbackResponse {
    with { $0.faults.gate = (gate, point) }
  }

  /// Returns a copy of the response that is interrupted at the given point.
  public func cut(after point: Point, by way: Break = .close) -> LoopbackResponse {
    with { $0.faults.cut = (point, way) }
  }

  /// Returns a copy of the response that is sent in pieces of the given number of bytes, with a pause between the
  /// pieces.
  public func dripping(bytes: Int = 1, every interval: Duration) -> LoopbackResponse {
    with { $0.faults.drip = (max(1, bytes), interval) }
  }

  /// Returns a copy of the response that declares the given body length, regardless of the body's actual length. If the
  /// declared length is too large, the client waits for the missing bytes unless you also apply ``closing()``.
  public func declaring(length: Int) -> LoopbackResponse {
    with { $0.framing = .length(length) }
  }

  /// Returns a copy of the response whose body is sent with chunked transfer encoding.
  public func chunked(size: Int = 1024) -> LoopbackResponse {
    with { $0.framing = .chunked(size: max(1, size)) }
  }

  /// Returns a copy of the response whose body is sent without framing. The body ends when the connection closes.
  public func untilClose() -> LoopbackResponse {
    with { $0.framing = .untilClose }
  }

  /// Returns a copy of the response that makes the server close the connection after sending it, without announcing
  /// this in the header fields.
  public func closing() -> LoopbackResponse {
    with { $0.faults.closesAfterwards = true }
  }

  /// Returns a copy of the response that is preceded by an interim response, such as `103 Early Hints`.
  public func preceded(by statusLine: String) -> LoopbackResponse {
    with { $0.faults.interim.append(statusLine) }
  }

  private func with(_ change: (inout LoopbackResponse) -> Void) -> LoopbackResponse {
    var copy = self
    change(&copy)
    return copy
  }
}
