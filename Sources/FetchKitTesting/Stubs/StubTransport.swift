public import FetchKit
public import Foundation

/// A transport without a network: a closure answers.
///
/// ```swift
/// let stub = StubTransport { request in .stub(json: "{}") }
/// let client = FetchClient { $0.transport = stub }
/// ```
///
/// It checks requests and honours cancellation and the limit of the body as the real ones do.
public final class StubTransport: Transport {
  /// Answers a request, or throws what a transport would.
  public typealias Answer = @Sendable (TransportRequest) async throws(TransportError) -> TransportResponse

  private let answer: Answer
  private let seen = Lock<[TransportRequest]>([])

  /// A transport that answers with what the closure returns or throws.
  public init(_ answer: @escaping Answer) {
    self.answer = answer
  }

  /// A transport that gives every request the same response.
  public convenience init(status: Int = 200, headers: HTTPHeaders = [:], body: Data = Data()) {
    self.init { _ in .stub(status: status, headers: headers, body: body) }
  }

  /// The requests sent so far.
  public var requests: [TransportRequest] { seen.withLock { $0 } }

  /// Hands the request to the closure.
  ///
  /// - Throws: what the closure throws; `TransportError.cancelled` when the task is cancelled before or meanwhile.
  public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    try request.validate()
    guard !Task.isCancelled else { throw .cancelled }
    seen.withLock { $0.append(request) }
    let response = try await answer(request)
    guard !Task.isCancelled else { throw .cancelled }
    if let body = response.body.whole, body.count > request.limits.body {
      throw .tooLarge(.body, limit: request.limits.body)
    }
    return response
  }
}

extension TransportResponse {
  /// A complete response from its parts.
  public static func stub(status: Int = 200, headers: HTTPHeaders = [:], body: Data = Data()) -> TransportResponse {
    TransportResponse(head: ResponseHead(status: status, headers: headers), body: ResponseBody(body))
  }

  /// A JSON response from text.
  public static func stub(json text: String, status: Int = 200) -> TransportResponse {
    .stub(status: status, headers: ["Content-Type": "application/json"], body: Data(text.utf8))
  }
}
