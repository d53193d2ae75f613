internal import Foundation

extension URL {
  /// The scheme, host and port, with the default port filled in. Credentials and connections belong to an origin.
  var origin: String {
    let scheme = scheme?.lowercased() ?? ""
    let port = port ?? (scheme == "https" ? 443 : 80)
    return "\(scheme)://\(host(percentEncoded: true)?.lowercased() ?? ""):\(port)"
  }
}
