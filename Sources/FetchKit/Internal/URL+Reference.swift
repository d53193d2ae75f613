internal import Foundation

extension URL {
  /// The absolute URL of a reference in a response.
  ///
  /// Servers send spaces and non-ASCII letters unencoded. Foundation encodes them, but then also encodes existing
  /// escapes a second time. They are therefore encoded here first.
  init?(reference: String, relativeTo base: URL) {
    let text = reference.prefix { $0 != "#" }
    // Foundation does not treat an empty string as a reference.
    guard !text.isEmpty || reference.isEmpty else {
      self.init(string: String(base.absoluteString.prefix { $0 != "#" }))
      return
    }
    // Host names are not percent-encoded. Non-ASCII names have a separate encoding.
    let authority = text.prefixMatch(of: /(?:[A-Za-z][A-Za-z0-9+.\-]*:)?\/\/[^\/?]*/)?.output ?? ""
    let rest = PercentEncoding.completed(text.dropFirst(authority.count))
    guard let url = URL(string: String(authority) + rest, relativeTo: base) else { return nil }
    self = url.absoluteURL
  }
}
