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
    self.init(completing: text, relativeTo: base)
  }

  /// The URL that a person means by a text, as browsers read it (https://url.spec.whatwg.org/#url-parsing).
  init?(addressBar text: String) {
    let scalars = text.trimmingCharacters(in: .whitespacesAndNewlines).unicodeScalars.filter {
      $0 != "\t" && $0 != "\n" && $0 != "\r"
    }
    let path = scalars.prefix { $0 != "?" && $0 != "#" }
    // Foundation would read `https://a.example\@b.example` as a URL of the second host.
    let text = String(path).replacing(scalar: "\\", with: "/") + String(scalars[path.endIndex...])
    guard let url = URL(completing: text.prefix { $0 != "#" }, relativeTo: nil) else { return nil }
    // Foundation gives the ASCII form of a host name only with the whole text.
    self.init(string: url.absoluteString)
  }

  private init?(completing text: Substring, relativeTo base: URL?) {
    // Host names are not percent-encoded. Non-ASCII names have a separate encoding.
    let authority = text.prefixMatch(of: /(?:[A-Za-z][A-Za-z0-9+.\-]*:)?\/\/[^\/?]*/)?.output ?? ""
    let rest = PercentEncoding.completed(text.dropFirst(authority.count))
    guard let url = URL(string: String(authority) + rest, relativeTo: base) else { return nil }
    self = url.absoluteURL
  }
}
