public import Foundation

extension URLSessionTransport {
  /// A client certificate and its private key, in one file.
  public struct ClientCertificate: Sendable {
    /// A PKCS #12 file, usually with the extension `.p12` or `.pfx`, that contains the certificate, its private key and
    /// the intermediate certificates up to the certificate authority.
    public var archive: URL
    /// The passphrase for the file.
    public var passphrase: String

    /// Creates a client certificate from the given file.
    public init(archive: URL, passphrase: String) {
      self.archive = archive
      self.passphrase = passphrase
    }
  }
}

extension URLSessionTransport.ClientCertificate: CustomStringConvertible, CustomReflectable {
  /// The path of the file. The passphrase is omitted.
  public var description: String { archive.path }

  /// The same text as ``description``, so that `dump` reveals nothing more.
  public var customMirror: Mirror { Mirror(self, children: ["archive": description]) }
}
