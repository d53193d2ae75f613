#if !canImport(Darwin)
internal import Foundation

extension TransportError {
  /// Reads libcurl's text where URLSession's code says too little; nil where the code suffices.
  ///
  /// On Linux many failures share code -1 (unknown), and others have a misleading code. Elsewhere the text is Apple's
  /// and translated, so it is never read there.
  static func fromCurlText(_ error: URLError, hadResponse: Bool, isSecure: Bool) -> TransportError? {
    guard [.unknown, .badURL, .unsupportedURL].contains(error.code) else { return nil }
    let text = error.localizedDescription
    if let known = byWords(text) { return known }
    guard error.code == .unknown, !hadResponse else { return nil }
    return isSecure ? .connection(.tls, detail: text) : .malformedResponse(reason: text)
  }

  private static func byWords(_ text: String) -> TransportError? {
    func says(_ words: String...) -> Bool { words.contains { text.contains($0) } }
    // The text can contain the proxy's address and its password.
    if says("proxy", "Proxy", "SOCKS") { return .connection(.proxy, detail: "") }
    if says("SSL", "TLS", "certificate") { return .connection(.tls, detail: text) }
    if says("resolve host") { return .connection(.nameNotResolved, detail: text) }
    if says("connect to") { return .connection(.refused, detail: text) }
    if says("transfer closed", "Recv failure", "Send failure", "reset by peer", "Broken pipe", "end of response") {
      return .connection(.lost, detail: text)
    }
    if says("HTTP/0.9", "eader", "chunked-encoding", "bad HTTP", "content encoding", "server reply", "decod") {
      return .malformedResponse(reason: text)
    }
    return nil
  }
}
#endif
