internal import Foundation

/// URLSession's question about the identity of the server or the client, and the answer to it.
enum TLSChallenge: Equatable {
  /// The server has presented a certificate, in DER; nil if URLSession does not say which.
  case serverTrust(Data?)
  /// The server asks for the client's certificate.
  case clientCertificate
  /// A question that has nothing to do with TLS, such as one for a password.
  case other

  enum Answer: Equatable {
    /// URLSession does what it does without a delegate. For a server's certificate this is its own verification.
    case useDefault
    /// The key is one of the pinned ones. The certificate still has to pass URLSession's own verification.
    case acceptKey
    case presentCertificate
    case refuse(reason: String)
  }

  /// - Parameter isProxy: Whether a proxy asks, for which no settings exist.
  func answer(for tls: HostTLS?, isProxy: Bool) -> Answer {
    guard let tls, !isProxy else { return .useDefault }
    switch self {
    case .other: return .useDefault
    case .clientCertificate: return tls.certificate == nil ? .useDefault : .presentCertificate
    case .serverTrust(let certificate):
      guard !tls.pins.isEmpty else { return .useDefault }
      guard let certificate, let digest = CertificateKey.digest(ofCertificate: certificate) else {
        return .refuse(reason: "the server's certificate could not be read")
      }
      return tls.pins.contains(digest)
        ? .acceptKey : .refuse(reason: "the server's key is none of the pinned ones")
    }
  }
}
