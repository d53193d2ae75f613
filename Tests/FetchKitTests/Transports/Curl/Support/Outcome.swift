import FetchKit
import Foundation

/// The outcome of a request, in words short enough to compare.
enum Outcome: Sendable, Equatable, CustomStringConvertible {
  case response(Int, String)
  case failed(String)

  init(_ error: TransportError) {
    self =
      switch error {
      case .invalidRequest: .failed("invalid request")
      case .connection(let fault, _): .failed("\(fault)")
      case .timeout(let phase): .failed("\(phase) timeout")
      case .cancelled: .failed("cancelled")
      case .tooLarge(let part, let limit): .failed("\(part) over \(limit)")
      case .malformedResponse: .failed("malformed")
      case .requestBody(let cause): .failed("body: \(cause)")
      }
  }

  var description: String {
    switch self {
    case .response(let status, let text): "\(status) \(text.prefix(100))"
    case .failed(let reason): reason
    }
  }
}

extension Transport {
  /// Sends the request and reads the whole response.
  func outcome(of request: TransportRequest) async -> Outcome {
    do throws(TransportError) {
      let response = try await send(request)
      let body = try await response.body.collect(upTo: .max)
      return .response(response.head.status, String(decoding: body, as: UTF8.self))
    } catch {
      return Outcome(error)
    }
  }

  func outcome(of url: URL) async -> Outcome {
    await outcome(of: TransportRequest(.get, url))
  }
}
