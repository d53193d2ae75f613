extension FetchError {
  /// Converts a transport error.
  init(_ error: TransportError, _ context: Context) {
    var context = context
    switch error {
    case .invalidRequest(let reason): self = .invalidRequest(reason: reason, context)
    case .connection(let fault, let detail):
      context.detail = detail
      self = .connection(fault, context)
    case .timeout(let phase): self = .timeout(phase, context)
    case .cancelled: self = .cancelled(context)
    case .tooLarge(let part, let limit): self = .tooLarge(part, limit: limit, context)
    case .malformedResponse(let reason): self = .malformedResponse(reason: reason, context)
    case .requestBody(let cause): self = .requestBody(cause, context)
    }
  }
}
