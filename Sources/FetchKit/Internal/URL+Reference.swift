internal import Foundation

extension URL {
  /// The absolute URL that a reference in a response leads to.
  ///
  /// Servers leave spaces and letters beyond ASCII as they are. Foundation encodes them, and where it does, what stands
  /// beside them in escapes already a second time; so they are encoded here before it sees them.
  init?(reference: String, relativeTo base: URL) {
    let text = reference.prefix { $0 != "#" }
    // Foundation takes an empty text for no reference at all.
    guard !text.isEmpty || reference.isEmpty else {
      self.init(string: String(base.absoluteString.prefix { $0 != "#" }))
      return
    }
    // A host is not encoded by percents: names beyond ASCII have a spelling of their own.
    let authority = text.prefixMatch(of: /(?:[A-Za-z][A-Za-z0-9+.\-]*:)?\/\/[^\/?]*/)?.output ?? ""
    let rest = PercentEncoding.completed(text.dropFirst(authority.count))
    guard let url = URL(string: String(authority) + rest, relativeTo: base) else { return nil }
    self = url.absoluteURL
  }
}
