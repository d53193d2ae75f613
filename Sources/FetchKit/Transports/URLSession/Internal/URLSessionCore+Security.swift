#if canImport(Security)
internal import Foundation
internal import Security

extension TLSChallenge {
  init(_ space: URLProtectionSpace) {
    switch space.authenticationMethod {
    case NSURLAuthenticationMethodServerTrust:
      let chain = space.serverTrust.flatMap { SecTrustCopyCertificateChain($0) as? [SecCertificate] }
      self = .serverTrust(chain?.first.map { SecCertificateCopyData($0) as Data })
    case NSURLAuthenticationMethodClientCertificate: self = .clientCertificate
    default: self = .other
    }
  }
}

extension URLCredential {
  /// The identity in a PKCS #12 file, imported into memory and not into a keychain; nil if the file or its passphrase
  /// is wrong.
  convenience init?(_ certificate: URLSessionTransport.ClientCertificate) {
    guard let archive = try? Data(contentsOf: certificate.archive) else { return nil }
    let options: [String: Any] = [
      kSecImportExportPassphrase as String: certificate.passphrase, kSecImportToMemoryOnly as String: true,
    ]
    var items: CFArray?
    guard SecPKCS12Import(archive as CFData, options as CFDictionary, &items) == errSecSuccess,
      let first = (items as? [[String: Any]])?.first,
      let found = first[kSecImportItemIdentity as String] as AnyObject?, CFGetTypeID(found) == SecIdentityGetTypeID()
    else { return nil }
    let chain = (first[kSecImportItemCertChain as String] as? [SecCertificate]) ?? []
    // The first certificate of the chain is the identity's own.
    self.init(
      identity: unsafeDowncast(found, to: SecIdentity.self), certificates: Array(chain.dropFirst()),
      persistence: .forSession)
  }
}
#endif
