public import FetchKit
public import Foundation

/// What a ``LoopbackServer`` answers: a response, and what goes wrong while it is sent.
///
/// ```swift
/// .json(#"{"id": 275}"#)
/// .status(503, headers: ["Retry-After": "2"])
/// .text("hello").delayed(by: .milliseconds(50))
/// .text("hello").cut(after: .body(bytes: 2), by: .reset)
/// .text("hello").declaring(length: 100)
/// .raw("HTTP/1.1 200 OK\r\nFoo:bar\r\n\r\n")
/// .bytes(.send("HTTP/1.1 200 OK\r\n Fo"), .pause(.milliseconds(5)), .send("lded: x\r\n\r\n"), .end(.reset))
/// ```
public struct LoopbackResponse: Sendable {
  /// How the end of the body is told.
  public enum Framing: Sendable {
    /// By `Content-Length`: the true one, or the one declared.
    case length(Int?)
    /// In chunks of at most that many bytes.
    case chunked(size: Int)
    /// By closing the connection.
    case untilClose
  }

  /// What the body is made of.
  public enum Body: Sendable {
    /// Bytes in memory.
    case data(Data)
    /// The same bytes again and again, made while they are sent.
    case repeated(Data, count: Int)
  }

  /// The status code.
  public var status: Int
  /// The fields, besides those of the framing.
  public var headers: HTTPHeaders
  /// The body.
  public var body: Body
  /// How the end of the body is told.
  public var framing: Framing
  var raw: Data?
  var script: [Step]?
  var faults = Faults()

  /// A response from its parts.
  public init(
    status: Int = 200, headers: HTTPHeaders = [:], body: Body = .data(Data()), framing: Framing = .length(nil)
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.framing = framing
  }

  /// A status, without a body unless one is given.
  public static func status(_ status: Int, headers: HTTPHeaders = [:], _ text: String = "") -> LoopbackResponse {
    LoopbackResponse(status: status, headers: headers, body: .data(Data(text.utf8)))
  }

  /// Plain text.
  public static func text(_ text: String, status: Int = 200) -> LoopbackResponse {
    LoopbackResponse(
      status: status, headers: ["Content-Type": "text/plain; charset=utf-8"], body: .data(Data(text.utf8)))
  }

  /// A JSON document, as text.
  public static func json(_ text: String, status: Int = 200) -> LoopbackResponse {
    .json(Data(text.utf8), status: status)
  }

  /// A JSON document, as bytes.
  public static func json(_ data: Data, status: Int = 200) -> LoopbackResponse {
    LoopbackResponse(status: status, headers: ["Content-Type": "application/json"], body: .data(data))
  }

  /// Bytes.
  public static func data(_ data: Data, status: Int = 200) -> LoopbackResponse {
    LoopbackResponse(status: status, headers: ["Content-Type": "application/octet-stream"], body: .data(data))
  }

  /// A redirect to that location.
  public static func redirect(_ status: Int = 302, to location: String) -> LoopbackResponse {
    LoopbackResponse(status: status, headers: ["Location": location])
  }

  /// One thing that a server does while it answers by `LoopbackResponse.bytes`.
  public enum Step: Sendable {
    /// Sends these bytes as they are, in one piece as far as the socket takes it.
    case send(Data)
    /// Waits for that time.
    case pause(Duration)
    /// Waits until the gate opens.
    case hold(LoopbackGate)
    /// Breaks off; nothing comes after it.
    case end(Break)

    /// Sends a text as it is.
    public static func send(_ text: String) -> Step { .send(Data(text.utf8)) }
  }

  /// Whatever bytes, in whatever pieces: for answers that no well-behaved server sends.
  ///
  /// The connection stays open for the next request unless a step ends it. Faults that are added, as by
  /// ``cut(after:by:)``, count for nothing here.
  public static func bytes(_ steps: Step...) -> LoopbackResponse { bytes(steps) }

  /// The same, from a list.
  public static func bytes(_ steps: [Step]) -> LoopbackResponse {
    var response = LoopbackResponse()
    response.script = steps
    return response
  }

  /// Bytes sent as they are, head and all, after which the connection is closed.
  public static func raw(_ bytes: Data) -> LoopbackResponse {
    var response = LoopbackResponse()
    response.raw = bytes
    return response
  }

  /// Text sent as it is, head and all, after which the connection is closed.
  public static func raw(_ text: String) -> LoopbackResponse {
    raw(Data(text.utf8))
  }
}
