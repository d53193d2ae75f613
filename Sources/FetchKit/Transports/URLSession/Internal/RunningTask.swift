internal import Foundation

#if !canImport(Darwin)
internal import FoundationNetworking
#endif

/// The exchange of a task that URLSession is running. Used in the core's queue only.
struct RunningTask {
  let exchange: URLSessionExchange
  let spooled: SpooledBody?
  let host: String
  var isPaused = false
  /// Whether the task's own connection has presented a pinned key. The system has not verified the certificate yet.
  private(set) var hasKnownKey = false

  init(exchange: URLSessionExchange, spooled: SpooledBody?, host: String) {
    self.exchange = exchange
    self.spooled = spooled
    self.host = host
  }

  /// The answer to a challenge, and why the exchange must end if the settings of its host do not allow the connection.
  ///
  /// - Parameter credential: Reads a client certificate; nil if its file or its passphrase is wrong.
  mutating func answer(
    _ challenge: TLSChallenge, isProxy: Bool, failures: Int,
    credential: (URLSessionTransport.ClientCertificate) -> URLCredential?
  ) -> (disposition: URLSession.AuthChallengeDisposition, credential: URLCredential?, refusal: TransportError?) {
    let tls = exchange.host?.tls
    let refusal: String
    switch challenge.answer(for: tls, isProxy: isProxy) {
    case .useDefault: return (.performDefaultHandling, nil, nil)
    case .acceptKey:
      hasKnownKey = true
      return (.performDefaultHandling, nil, nil)
    case .presentCertificate where failures > 0: refusal = "the client certificate was rejected"
    case .presentCertificate:
      if let credential = tls?.certificate.flatMap(credential) { return (.useCredential, credential, nil) }
      refusal = "the client certificate's file or its passphrase is wrong"
    case .refuse(let reason): refusal = reason
    }
    return (.cancelAuthenticationChallenge, nil, .connection(.tls, detail: refusal))
  }
}
