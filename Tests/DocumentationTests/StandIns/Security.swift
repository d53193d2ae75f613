// The declarations of Apple's Security framework that FetchKit uses, with Apple's signatures, so that its code is
// compiled where the framework does not exist. Nothing here does anything.

// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation
@_exported public import FoundationNetworking

public typealias CFData = NSData
public typealias CFDictionary = NSDictionary
public typealias CFArray = NSArray
public typealias CFString = NSString
public typealias CFTypeID = UInt
public typealias OSStatus = Int32

public final class SecTrust {}
public final class SecCertificate {}
public final class SecIdentity {}

public let NSURLAuthenticationMethodServerTrust = "server trust"
public let NSURLAuthenticationMethodClientCertificate = "client certificate"
public let errSecSuccess: OSStatus = 0
public nonisolated(unsafe) let kSecImportExportPassphrase: CFString = "passphrase"
public nonisolated(unsafe) let kSecImportToMemoryOnly: CFString = "memory"
public nonisolated(unsafe) let kSecImportItemIdentity: CFString = "identity"
public nonisolated(unsafe) let kSecImportItemCertChain: CFString = "chain"

public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? { nil }
public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData { NSData() }
public func SecPKCS12Import(
  _ archive: CFData, _ options: CFDictionary, _ items: UnsafeMutablePointer<CFArray?>
) -> OSStatus { -1 }
public func SecIdentityGetTypeID() -> CFTypeID { 0 }
public func CFGetTypeID(_ object: AnyObject?) -> CFTypeID { 0 }

extension URLProtectionSpace {
  public var serverTrust: SecTrust? { nil }
}

extension URLCredential {
  public convenience init(identity: SecIdentity, certificates: [Any]?, persistence: URLCredential.Persistence) {
    self.init(user: "", password: "", persistence: persistence)
  }
}
