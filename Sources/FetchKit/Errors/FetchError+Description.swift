public import Decoding
public import Foundation

extension FetchError: CustomStringConvertible {
  /// A description of the request and of the failure. The description contains no secrets.
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
    case .requestBody(let cause, _): "the request body could not be created or read: \(Self.text(of: cause))"
    case .connection(let fault, _): fault.text
    case .timeout(let phase, _): TransportError.timeout(phase).description
    case .cancelled: "cancelled"
    case .shutDown: "the client was shut down"
    case .status(let failure, _): "the server answered with status \(failure.status)"
    case .redirect(let fault, _): fault.description
    case .tooLarge(let part, let limit, _): TransportError.tooLarge(part, limit: limit).description
    case .tooManyPages(let limit, let next, _):
      "there may be more pages after \(limit) requests, from page \(next.index)"
    case .socket(let error, _): error.description
    case .malformedResponse(let reason, _): "malformed response: \(reason)"
    case .extraction(let cause, _): "the response could not be read: \(Self.text(of: cause))"
    case .authentication(let cause, _): "no valid credentials: \(Self.text(of: cause))"
    case .interceptor(let cause, _): "an interceptor failed: \(Self.text(of: cause))"
    }
  }

  /// An error of an unknown type may contain secrets, so only its type is named. The error itself is still available
  /// from the case.
  private static func text(of cause: any Error) -> String {
    switch cause {
    case let cause as LocatedDecodingError: cause.description
    case let cause as TextDecodingError: cause.description
    case let cause as FetchError: cause.description
    case CocoaError.fileReadNoSuchFile, CocoaError.fileNoSuchFile: "the file does not exist"
    case CocoaError.fileReadNoPermission: "the file is not readable"
    default: "\(type(of: cause))"
    }
  }
}

extension RedirectFailure: CustomStringConvertible {
  /// A one-line description for logs.
  public var description: String {
    switch self {
    case .tooMany(let limit): "the server sent more than \(limit) redirects"
    case .loop: "the redirects form a loop"
    case .downgrade: "a redirect from https to http was refused"
    case .invalidLocation: "the redirect has an invalid Location field"
    case .bodyNotReplayable: "the redirect requires the body to be sent again, but it can be read only once"
    }
  }
}

extension FetchError: LocalizedError {
  /// The same text as ``description``. The text is not localized.
  public var errorDescription: String? { description }
}

extension FetchError {
  /// The decoding error that caused this error, or nil if this error has a different cause. Only ``extraction(_:_:)``
  /// can be caused by a decoding error.
  public var decodingError: LocatedDecodingError? {
    if case .extraction(let cause, _) = self { cause as? LocatedDecodingError } else { nil }
  }
}
