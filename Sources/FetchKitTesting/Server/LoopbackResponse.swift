public import FetchKit
public import Foundation

/// A response from a ``LoopbackServer``, including the faults to inject while the response is sent.
///
/// ```swift
/// .json(#"{"id": 275}"#)
/// .status(503, headers: ["Retry-After": "2"])
/// .text("hello").delayed(by: .milliseconds(50))
/// .text("hello").cut(after: .body(bytes: 2), by: .reset)
/// .text("hello").declaring(length: 100)
/// .raw("HTTP/1.1 200 OK\r\nFoo:bar\r\n\r\n")
/// .bytes(.send("HTTP/1.1 200 OK\r\n"), .pause(.milliseconds(5)), .end(.reset))
/// ```
public struct LoopbackResponse: Sendable {
  /// How the end of the body is marked.
  public enum Framing: Sendable {
    /// The `Content-Length` field specifies the given length or, if the length is nil, the body's actual length.
    case length(Int?)
    /// The body is sent in chunks of at most the given number of bytes.
    case chunked(size: Int)
    /// The connection is closed at the end of the body.
    case untilClose
  }

  /// The content of a body.
  public enum Body: Sendable {
    /// Bytes in memory.
    case data(Data)
    /// The given bytes, repeated the given number of times. The repetitions are generated while the body is being sent.
    case repeated(Data, count: Int)

    /// All bytes, in memory.
    var data: Data {
      switch self {
      case .data(let data): data
      case .repeated(let data, let count): Data(repeatElement(data, count: count).joined())
      }
    }
  }

  /// The status code.
  public var status: Int
  /// The header fields, except the fields that describe the framing of the body.
  public var headers: HTTPHeaders
  /// The body.
  public var body: Body
  /// How the end of the body is marked.
  public var framing: Framing
  var raw: Data?
  var script: [Step]?
  /// Set if the response opens a WebSocket.
  var socket: (subprotocol: String?, handler: SocketHandler)?
  var faults = Faults()

  /// Creates a response with the given status code, header fields, body and framing.
  public init(
    status: Int = 200, headers: HTTPHeaders = [:], body: Body = .data(Data()), framing: Framing = .length(nil)
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.framing = framing
  }

  /// A response with the given status code, header fields and text.
  public static func status(_ status: Int, headers: HTTPHeaders = [:], _ text: String = "") -> LoopbackResponse {
    LoopbackResponse(status: status, headers: headers, body: .data(Data(text.utf8)))
  }

  /// A plain text response with the given text.
  public static func text(_ text: String, status: Int = 200) -> LoopbackResponse {
    LoopbackResponse(
      status: status, headers: ["Content-Type": "text/plain; charset=utf-8"], body: .data(Data(text.utf8)))
  }

  /// A response with the given JSON text.
  public static func json(_ text: String, status: Int = 200) -> LoopbackResponse {
    .json(Data(text.utf8), status: status)
  }

  /// A response with the given JSON data.
  public static func json(_ data: Data, status: Int = 200) -> LoopbackResponse {
    LoopbackResponse(status: status, headers: ["Content-Type": "application/json"], body: .data(data))
  }

  /// A response whose body consists of the given bytes.
  public static func data(_ data: Data, status: Int = 200) -> LoopbackResponse {
    LoopbackResponse(status: status, headers: ["Content-Type": "application/octet-stream"], body: .data(data))
  }

  /// A redirect to the given location.
  public static func redirect(_ status: Int = 302, to location: String) -> LoopbackResponse {
    LoopbackResponse(status: status, headers: ["Location": location])
  }

  /// One step of a response created with `LoopbackResponse.bytes`.
  public enum Step: Sendable {
    /// Sends bytes unchanged, in one piece if the socket accepts them.
    case send(Data)
    /// Waits for the given duration.
    case pause(Duration)
    /// Waits until the gate opens.
    case hold(LoopbackGate)
    /// Interrupts the response. The remaining steps are not executed.
    case end(Break)

    /// Sends text unchanged.
    public static func send(_ text: String) -> Step { .send(Data(text.utf8)) }
  }

  /// A response that the server sends by executing the given steps. The steps can send bytes that no well-behaved
  /// server would send.
  ///
  /// The connection stays open for the next request unless a step ends it. Methods that add faults, such as
  /// ``cut(after:by:)``, have no effect on this response.
  public static func bytes(_ steps: Step...) -> LoopbackResponse { bytes(steps) }

  /// A response that the server sends by executing the steps in the given array.
  public static func bytes(_ steps: [Step]) -> LoopbackResponse {
    var response = LoopbackResponse()
    response.script = steps
    return response
  }

  /// A response that consists of the given bytes, sent unchanged and without an added head. The connection is closed
  /// afterward.
  public static func raw(_ bytes: Data) -> LoopbackResponse {
    var response = LoopbackResponse()
    response.raw = bytes
    return response
  }

  /// A response that consists of the given text, sent unchanged and without an added head. The connection is closed
  /// afterward.
  public static func raw(_ text: String) -> LoopbackResponse {
    raw(Data(text.utf8))
  }
}
