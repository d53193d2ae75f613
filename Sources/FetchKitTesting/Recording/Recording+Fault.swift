internal import FetchKit

extension Recording {
  private static let faults: [String: TransportError] = [
    "refused": .connection(.refused, detail: "replayed"),
    "offline": .connection(.offline, detail: "replayed"),
    "nameNotResolved": .connection(.nameNotResolved, detail: "replayed"),
    "lost": .connection(.lost, detail: "replayed"),
    "tls": .connection(.tls, detail: "replayed"),
    "proxy": .connection(.proxy, detail: "replayed"),
    "timeout.connect": .timeout(.connect),
    "timeout.idle": .timeout(.idle),
    "timeout.total": .timeout(.total),
    "malformedResponse": .malformedResponse(reason: "replayed"),
  ]

  /// Returns the word for a network fault, or nil for errors that say nothing about the server and are not worth
  /// recording.
  static func word(for error: TransportError) -> String? {
    switch error {
    case .connection(.noResources, _): nil
    case .connection(let fault, _): "\(fault)"
    case .timeout(let phase): "timeout.\(phase)"
    case .malformedResponse: "malformedResponse"
    case .invalidRequest, .cancelled, .tooLarge, .requestBody: nil
    }
  }

  static func error(for word: String) -> TransportError {
    faults[word] ?? .malformedResponse(reason: "the cassette contains an unknown fault: \(word)")
  }
}
