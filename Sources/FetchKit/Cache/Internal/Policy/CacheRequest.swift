internal import Foundation

/// The properties of a request that the cache uses.
struct CacheRequest: Sendable {
  let method: HTTPMethod
  /// The URL without its fragment: the primary key.
  let url: String
  let headers: HTTPHeaders
  let control: CacheControl
  let mode: CacheMode
  /// A digest of the credentials in the request, or of the identity that they belong to. Empty if the request has
  /// neither. A response stored under one digest is never served under another.
  let credential: String
  /// Whether a stored response may answer the request.
  let readsStored: Bool
  /// Whether the response may be stored.
  let writesStored: Bool
  /// Whether the server may not be contacted, whatever the method is (RFC 9111 §5.2.1.7).
  let needsStored: Bool
  let range: String?

  init(_ request: HTTPRequest, _ redactor: Redactor) {
    method = request.method
    let text = request.url.absoluteString
    url = text.contains(byte: UInt8(ascii: "#")) ? String(text.prefix { $0 != "#" }) : text
    let identity = request.options.cacheIdentity
    var fields = request.headers
    let secrets = fields.filter { field in
      // The hidden names include the fields in which an authenticator put credentials.
      redactor.isSecret(header: field.name) || fields.hiddenNames.contains(field.name.lowercased())
    }
    if let identity {
      // The identity stands for them, also in a response that varies by them.
      for secret in secrets { fields.removeAll(named: secret.name) }
      credential = SHA256.hexDigest(of: Data("identity:\(identity)".utf8))
    } else {
      let text = secrets.map { "\($0.name.lowercased()):\($0.value)\n" }.joined()
      credential = text.isEmpty ? "" : SHA256.hexDigest(of: Data(text.utf8))
    }
    headers = fields
    mode = request.options.cache
    var control = CacheControl(headers)
    if headers["Cache-Control"] == nil, let pragma = headers["Pragma"] {
      HTTPListField.forEach(in: pragma) { if $0.equalsIgnoringASCIICase("no-cache") { control.noCache = true } }
    }
    if mode == .onlyStored { control.onlyIfCached = true }
    self.control = control
    range = headers["Range"]
    needsStored = control.onlyIfCached && mode != .reload && mode != .bypass
    let isRead = method == .get || method == .head
    // A caller that sends a conditional request expects the server's response (Fetch standard, HTTP-network-or-cache
    // fetch), unless it accepts only stored responses: then it compares the stored response itself.
    let conditions = needsStored ? Self.preconditions : Self.preconditions + Self.validations
    let isConditional = headers.contains { field in
      conditions.contains { field.name.equalsIgnoringASCIICase($0) }
    }
    readsStored = isRead && mode != .reload && mode != .bypass && !control.noStore && !isConditional
    writesStored = mode != .bypass && !control.noStore
  }

  /// Returns the secondary key of responses that vary by these fields (RFC 9111 §4.1).
  func variant(by names: [String]) -> String {
    SHA256.hexDigest(of: Data("\(credential)\n\(VaryKey.text(of: names, in: headers))".utf8))
  }

  /// Returns the absolute form of a reference in a response, without its fragment, or nil if it is invalid.
  func resolved(_ reference: String) -> String? {
    guard let base = URL(string: url) else { return nil }
    return URL(reference: reference, relativeTo: base)?.absoluteString
  }

  private static let validations = ["If-None-Match", "If-Modified-Since"]
  private static let preconditions = ["If-Match", "If-Unmodified-Since", "If-Range"]
}
