import FetchKitTesting
import Testing

@testable import FetchKit

/// The transports, which must all behave the same.
enum TransportUnderTest: String, CaseIterable, Sendable, CustomTestStringConvertible {
  /// Those that use the network.
  static let allCases: [TransportUnderTest] = all.filter { $0 != .stub }
  static let all: [TransportUnderTest] = {
    #if os(Linux)
    [.stub, .urlSession, .curl]
    #else
    [.stub, .urlSession]
    #endif
  }()

  case stub
  case urlSession
  #if os(Linux)
  case curl
  #endif

  /// One transport for all tests, as a program has.
  var transport: any Transport {
    switch self {
    case .stub: StubTransport()
    case .urlSession: Self.sharedURLSession
    #if os(Linux)
    case .curl: Self.sharedCurl
    #endif
    }
  }

  /// A new transport, which closes its connections when it is released.
  func makeTransport() throws -> any Transport & AnyObject {
    switch self {
    case .stub: StubTransport()
    case .urlSession: URLSessionTransport()
    #if os(Linux)
    case .curl: try CurlTransport()
    #endif
    }
  }

  var testDescription: String { rawValue }

  /// Runs a test of uploads. On Linux, an upload by URLSession stands still now and then until the idle timeout.
  /// Nothing else about it may fail.
  func uploading(_ body: () async throws -> Void) async throws {
    #if os(Linux)
    guard self != .urlSession else {
      return try await withKnownIssue("URLSession on Linux stalled", isIntermittent: true) {
        try await body()
      } matching: { issue in
        if case .timeout(.idle) = issue.error as? TransportError { true } else { false }
      }
    }
    #endif
    try await body()
  }

  private static let sharedURLSession = URLSessionTransport()

  #if os(Linux)
  private static let sharedCurl = DefaultTransport.shared
  #endif
}

/// The outcome of a request, in a word.
func outcome(of request: TransportRequest, on transport: any Transport) async -> String {
  do throws(TransportError) {
    let response = try await transport.send(request)
    var count = 0
    for try await chunk in response.body { count += chunk.count }
    return "\(response.head.status):\(count)"
  } catch {
    return error.word
  }
}

/// The error with which the transport refused the request or failed before the head; nil for a response.
func failure(of request: TransportRequest, on transport: any Transport) async -> TransportError? {
  do throws(TransportError) {
    _ = try await transport.send(request)
    return nil
  } catch {
    return error
  }
}

extension TransportError {
  var word: String {
    switch self {
    case .invalidRequest: "invalid"
    case .connection(let fault, _): "\(fault)"
    case .timeout(let phase): "\(phase)"
    case .cancelled: "cancelled"
    case .tooLarge(let part, _): "tooLarge \(part)"
    case .malformedResponse: "malformed"
    case .requestBody: "requestBody"
    }
  }
}

extension FetchError {
  var word: String {
    switch self {
    case .invalidRequest: "invalid"
    case .requestBody: "requestBody"
    case .connection(let fault, _): "\(fault)"
    case .timeout(let phase, _): "\(phase)"
    case .cancelled: "cancelled"
    case .status(let failure, _): "status \(failure.status)"
    case .redirect(let fault, _): "\(fault)"
    case .tooLarge(let part, _, _): "tooLarge \(part)"
    case .malformedResponse: "malformed"
    case .extraction: "extraction"
    case .authentication: "authentication"
    case .shutDown: "shutDown"
    case .socket: "socket"
    case .tooManyPages: "tooManyPages"
    case .interceptor: "interceptor"
    }
  }
}
