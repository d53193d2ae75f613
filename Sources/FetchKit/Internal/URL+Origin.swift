internal import Foundation

extension URL {
  /// Scheme, host and port, the default port filled in: what credentials belong to, and what connections go to.
  var origin: String {
    let scheme = scheme?.lowercased() ?? ""
    let port = port ?? (scheme == "https" ? 443 : 80)
    return "\(scheme)://\(host(percentEncoded: true)?.lowercased() ?? ""):\(port)"
  }
}
