public import FetchKit
public import Foundation

/// A transport that uses no network and answers requests with a closure.
///
/// ```swift
/// let stub = StubTransport { request in .stub(json: "{}") }
/// let client = FetchClient { $0.transport = stub }
/// ```
///
/// The transport validates requests and honors cancellation and the body limit, as a real transport does.
public final class StubTransport: Transport {
  /// A function that answers a request or throws a transport error.
  public typealias Answer = @Sendable (TransportRequest) async throws(TransportError) -> TransportResponse

  private let answer: Answer
  private let seen = Lock<[TransportRequest]>([])

  /// Creates a transport that answers each request with the result of the closure.
  public init(_ answer: @escaping Answer) {
    self.answer = answer
  }

  /// Creates a transport that answers every request with the same response.
  public convenience init(status: Int = 200, headers: HTTPHeaders = [:], body: Data = Data()) {
    self.init { _ in .stub(status: status, headers: headers, body: body) }
  }

  /// The requests received so far.
  public var requests: [TransportRequest] { seen.withLock { $0 } }

  /// Passes the request to the closure.
  ///
  /// - Throws: The error thrown by the closure, or `TransportError.cancelled` if the task is cancelled before or during
  ///   the request.
  public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    try request.validate()
    guard !Task.isCancelled else { throw .cancelled }
    seen.withLock { $0.append(request) }
    let response = try await answer(request)
    guard !Task.isCancelled else { throw .cancelled }
    if let body = response.body.data, body.count > request.limits.body {
      throw .tooLarge(.body, limit: request.limits.body)
    }
    return response
  }
}

extension TransportResponse {
  /// Creates a complete response from its parts.
  public static func stub(status: Int = 200, headers: HTTPHeaders = [:], body: Data = Data()) -> TransportResponse {
    TransportResponse(head: ResponseHead(status: status, headers: headers), body: ResponseBody(body))
  }

  /// Creates a JSON response from text.
  public static func stub(json text: String, status: Int = 200) -> TransportResponse {
    .stub(status: status, headers: ["Content-Type": "application/json"], body: Data(text.utf8))
  }
}
