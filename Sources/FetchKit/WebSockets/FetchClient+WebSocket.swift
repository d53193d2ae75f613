internal import Foundation

extension FetchClient {
  /// Returns a WebSocket to a URL or endpoint. Nothing is sent yet.
  ///
  /// ```swift
  /// let socket = client.webSocket("wss://chat.example.org/room/1") {
  ///   $0.options.subprotocols = ["chat.v2"]
  ///   $0.options.pingInterval = .seconds(20)
  /// }
  /// ```
  ///
  /// The schemes `ws` and `wss` mean `http` and `https`. Each connection is a GET request with the client's header
  /// fields, adapted by its interceptors; an ``Authenticator`` renews credentials after status code 401. Redirects are
  /// refused. The client's timeouts apply to the opening of a connection, and its ``ConcurrencyLimits/sockets`` to open
  /// ones. Its retry policy, cache and response limits do not apply.
  ///
  /// - Parameters:
  ///   - request: The request to open each connection with.
  ///   - configure: Changes the default configuration.
  public func webSocket(
    _ request: some HTTPRequestConvertible, _ configure: (inout WebSocketConfiguration) -> Void = { _ in }
  ) -> WebSocket {
    var configuration = WebSocketConfiguration()
    configure(&configuration)
    do throws(FetchError) {
      var request = try request.httpRequest()
      if let scheme = request.url.scheme?.lowercased(), ["ws", "wss"].contains(scheme),
        var parts = URLComponents(url: request.url, resolvingAgainstBaseURL: true)
      {
        parts.scheme = scheme == "ws" ? "http" : "https"
        request.url = parts.url ?? request.url
      }
      request.options.redirects = .ignore
      request.options.retry = RetryPolicy.none
      request.options.cache = .bypass
      request.options.acceptableStatusCodes = 101..<102
      return WebSocket(.success(WebSocketSession(request, configuration, pipeline)))
    } catch {
      return WebSocket(.failure(error))
    }
  }
}
