internal import Foundation

/// A request as the cache sees it.
struct CacheQuery: Sendable {
  let method: HTTPMethod
  /// Without the fragment: the primary key.
  let url: String
  let headers: HTTPHeaders
  let control: CacheControl
  let mode: CacheMode
  /// A digest of the credentials it carries, empty where it carries none: what is stored for one is not served to
  /// another.
  let credential: String
  /// Whether it is a question that something stored can answer.
  let readsStored: Bool
  /// Whether the answer may be kept.
  let writesStored: Bool
  let range: String?

  init(_ request: HTTPRequest, _ redactor: Redactor) {
    method = request.method
    let text = request.url.absoluteString
    url = text.contains(byte: UInt8(ascii: "#")) ? String(text.prefix { $0 != "#" }) : text
    headers = request.headers
    mode = request.options.cache
    var control = CacheControl(headers)
    if headers["Cache-Control"] == nil, let pragma = headers["Pragma"] {
      FieldMembers.forEach(in: pragma) { if $0.equalsIgnoringASCIICase("no-cache") { control.noCache = true } }
    }
    if mode == .onlyStored { control.onlyIfCached = true }
    self.control = control
    range = headers["Range"]
    credential = Self.credential(in: headers, redactor)
    let isRead = method == .get || method == .head
    // Who asks conditionally wants to see the server's answer (Fetch standard, HTTP-network-or-cache fetch).
    let isConditional = headers.contains { field in
      Self.conditions.contains { field.name.equalsIgnoringASCIICase($0) }
    }
    readsStored = isRead && mode != .reload && mode != .bypass && !control.noStore && !isConditional
    writesStored = mode != .bypass && !control.noStore
  }

  /// The secondary key of responses that vary by these fields (RFC 9111 §4.1).
  func variant(by names: [String]) -> String {
    SHA256.hexDigest(of: Data("\(credential)\n\(Variance.text(of: names, in: headers))".utf8))
  }

  /// The absolute form of a reference in a response, without its fragment; nil where it is none.
  func resolved(_ reference: String) -> String? {
    guard let base = URL(string: url) else { return nil }
    return URL(reference: reference, relativeTo: base)?.absoluteString
  }

  private static let conditions = [
    "If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "If-Range",
  ]

  private static func credential(in headers: HTTPHeaders, _ redactor: Redactor) -> String {
    var text = ""
    // Where an authenticator put them is among the hidden names.
    for field in headers
    where redactor.isSecret(header: field.name) || headers.hiddenNames.contains(field.name.lowercased()) {
      text += "\(field.name.lowercased()):\(field.value)\n"
    }
    return text.isEmpty ? "" : SHA256.hexDigest(of: Data(text.utf8))
  }
}
