public import FetchKit
public import Foundation

/// A transport that answers requests by calling a closure, without using the network.
///
/// ```swift
/// let stub = StubTransport { request in .stub(json: "{}") }
/// let client = FetchClient { $0.transport = stub }
/// ```
///
/// Like a real transport, a stub transport validates each request, responds to cancellation, and enforces the limit on
/// the size of the response body.
public final class StubTransport: Transport {
  /// A closure that returns the response to a request or throws a transport error.
  public typealias Answer = @Sendable (TransportRequest) async throws(TransportError) -> TransportResponse

  private let answer: Answer
  private let seen = Lock<[TransportRequest]>([])

  /// Creates a transport that answers each request with the response that the closure returns.
  public init(_ answer: @escaping Answer) {
    self.answer = answer
  }

  /// Creates a transport that answers every request with the same response.
  public convenience init(status: Int = 200, headers: HTTPHeaders = [:], body: Data = Data()) {
    self.init { _ in .stub(status: status, headers: headers, body: body) }
  }

  /// The requests received so far.
  public var requests: [TransportRequest] { seen.withLock { $0 } }

  /// Validates and records the request, and then returns the closure's response to it.
  ///
  /// - Throws: The error that the closure throws; `TransportError.cancelled` if the task is cancelled before or during
  ///   the request; or a different `TransportError` if the request is not valid or the response body is too large.
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
  /// Creates a response with the given status code, header fields and body.
  public static func stub(status: Int = 200, headers: HTTPHeaders = [:], body: Data = Data()) -> TransportResponse {
    TransportResponse(head: ResponseHead(status: status, headers: headers), body: ResponseBody(body))
  }

  /// Creates a JSON response with the given text as its body.
  public static func stub(json text: String, status: Int = 200) -> TransportResponse {
    .stub(status: status, headers: ["Content-Type": "application/json"], body: Data(text.utf8))
  }
}
