public import Foundation

extension URLSessionTransport {
  /// A client certificate and its private key, in one file.
  public struct ClientCertificate: Sendable {
    /// A PKCS #12 file, usually named `.p12` or `.pfx`, with the certificate, its private key and the intermediate
    /// certificates up to the authority.
    public var archive: URL
    /// The passphrase of the file.
    public var passphrase: String

    /// Creates a client certificate from its file.
    public init(archive: URL, passphrase: String) {
      self.archive = archive
      self.passphrase = passphrase
    }
  }
}

extension URLSessionTransport.ClientCertificate: CustomStringConvertible, CustomReflectable {
  /// The file path, without the passphrase.
  public var description: String { archive.path }

  /// The same text as ``description``, so that `dump` reveals no more.
  public var customMirror: Mirror { Mirror(self, children: ["archive": description]) }
}
