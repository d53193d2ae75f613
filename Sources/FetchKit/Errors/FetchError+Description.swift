internal import Decoding
internal import Foundation

extension FetchError: CustomStringConvertible {
  /// A sentence that names the request and what went wrong, without secrets.
  public var description: String {
    let context = context
    var text = context.method.rawValue
    if !context.url.isEmpty { text += " \(context.url)" }
    text += ": \(reason)"
    if !context.detail.isEmpty { text += " (\(context.detail))" }
    if context.attempts.count > 1 { text += ", after \(context.attempts.count) attempts" }
    return text
  }

  private var reason: String {
    switch self {
    case .invalidRequest(let reason, _): "the request is invalid: \(reason)"
    case .requestBody(let cause, _): "the request's body could not be made or read: \(Self.text(of: cause))"
    case .connection(let fault, _): fault.text
    case .timeout(let phase, _): TransportError.timeout(phase).description
    case .cancelled: "cancelled"
    case .status(let failure, _): "the server answered with status \(failure.status)"
    case .redirect(let fault, _): fault.description
    case .tooLarge(let part, let limit, _): TransportError.tooLarge(part, limit: limit).description
    case .malformedResponse(let reason, _): "malformed response: \(reason)"
    case .extraction(let cause, _): "the response could not be read: \(Self.text(of: cause))"
    case .authentication(let cause, _): "no valid credentials: \(Self.text(of: cause))"
    case .interceptor(let cause, _): "an interceptor failed: \(Self.text(of: cause))"
    }
  }

  /// Foreign errors may say anything, so only their type is named; they are in the error itself for who wants them.
  private static func text(of cause: any Error) -> String {
    switch cause {
    case let cause as DecodingFailure: cause.description
    case let cause as TextFailure: cause.description
    case let cause as FetchError: cause.description
    case CocoaError.fileReadNoSuchFile, CocoaError.fileNoSuchFile: "the file does not exist"
    case CocoaError.fileReadNoPermission: "the file may not be read"
    default: "\(type(of: cause))"
    }
  }
}

extension RedirectFault: CustomStringConvertible {
  /// A sentence fit for a log.
  public var description: String {
    switch self {
    case .tooMany(let limit): "more than \(limit) redirects"
    case .loop: "the redirects go in a circle"
    case .downgrade: "a redirect from https to http was refused"
    case .invalidLocation: "a redirect without a usable location"
    case .bodyNotReplayable: "a redirect asks for a body that can be read only once"
    }
  }
}
