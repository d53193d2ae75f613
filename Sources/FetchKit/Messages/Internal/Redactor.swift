package import Foundation

/// Hides secrets in URLs and header fields before the URLs and fields appear in a text.
package struct Redactor: Sendable {
  /// Names of query items that carry credentials almost everywhere, in lower case.
  package static let commonQueryItems: Set<String> = [
    "access_key", "access_token", "api_key", "api_secret", "api_sig", "app_id", "assertion", "auth", "auth_token",
    "authorization", "client_assertion", "client_secret", "code", "code_verifier", "id_token", "jwt", "key",
    "oauth_consumer_key", "oauth_signature", "oauth_token", "oauth_verifier", "pass", "passphrase", "passwd",
    "password", "private_key", "private_token", "pwd", "refresh_token", "secret", "secret_key", "session",
    "session_id", "sessionid", "sid", "sig", "sign", "signature", "subscription_key", "token", "x-amz-credential",
    "x-amz-security-token", "x-amz-signature", "x-api-key",
  ]

  /// The same names without dashes and underscores, which services use differently.
  private static let plainItems = Set(commonQueryItems.map { $0.filter { $0 != "-" && $0 != "_" } })

  package static let standard = Redactor(queryItems: [], headers: [])

  private let queryItems: Set<String>
  /// The names of secret fields in addition to ``HTTPHeaders/redactedByDefault``, in lower case.
  let headers: Set<String>

  package init(queryItems: Set<String>, headers: Set<String>) {
    self.queryItems = Self.commonQueryItems.union(queryItems.map { $0.lowercased() })
    self.headers = Set(headers.map { $0.lowercased() })
  }

  /// Returns the URL without the user name, password and fragment, and with the values of secret query items hidden.
  package func text(of url: URL) -> String {
    text(ofReference: Self.ascii(url.absoluteString)[...], mayBeRelative: false)
  }

  /// Returns the URL without the user name, password, fragment and query. For texts created where no client
  /// configuration is known.
  static func textWithoutQuery(of url: URL) -> String {
    textWithoutQuery(ofReference: ascii(url.absoluteString)[...], mayBeRelative: false)
  }

  /// Returns the value of a header field for display. A secret value is hidden, and URLs are shown without their
  /// secrets.
  ///
  /// - Parameter names: Additional names to hide, in lower case.
  package func text(of field: HTTPHeaders.Field, hiding names: Set<String> = []) -> String {
    if isSecret(header: field.name) || names.contains(field.name.lowercased()) { return redactionMark }
    return Self.references(in: field) { text(ofReference: $0, mayBeRelative: true) }
  }

  /// Returns the value for display where no client configuration is known.
  static func text(of field: HTTPHeaders.Field, hiding names: Set<String>) -> String {
    if names.contains(field.name.lowercased()) { return redactionMark }
    return references(in: field) { textWithoutQuery(ofReference: $0, mayBeRelative: true) }
  }

  /// The fields whose values are URLs and may contain credentials.
  private static let referenceFields: Set<String> = ["location", "content-location", "link", "referer", "refresh"]

  private static func references(in field: HTTPHeaders.Field, _ text: (Substring) -> String) -> String {
    let name = field.name.lowercased()
    guard referenceFields.contains(name) else { return field.value }
    let value = ascii(field.value)
    // A `Link` without a bracket contains no link. Its text is treated like a URL.
    if name == "link", value.contains("<") { return links(in: value, text) }
    let start = name == "refresh" ? startOfReference(inRefresh: value) : value.startIndex
    return value[..<start] + text(value[start...])
  }

  /// Percent-encodes what is not ASCII. Otherwise, a combining mark would hide the delimiter before it: together, they
  /// are one `Character`.
  private static func ascii(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
    return text.utf8.reduce(into: "") { result, byte in
      result += byte < 0x80 ? String(UnicodeScalar(byte)) : "%\(String(byte, radix: 16, uppercase: true))"
    }
  }

  /// Returns the position after the seconds in `5; url=https://example.com/`, in the spellings that browsers accept.
  private static func startOfReference(inRefresh value: String) -> String.Index {
    let lead = /[0-9]*(?:\.[0-9]*)?[\s;,]*(?:url\s*=\s*)?["']?/.ignoresCase()
    return value.prefixMatch(of: lead)?.range.upperBound ?? value.startIndex
  }

  /// In `Link` (RFC 8288), URLs are between angle brackets and in `anchor`. A title may contain any of the same
  /// characters.
  private static func links(in value: String, _ text: (Substring) -> String) -> String {
    var result = ""
    var rest = value[...]
    var hasQuotations = true
    while let open = rest.firstIndex(where: { $0 == "<" || hasQuotations && $0 == "\"" }) {
      let before = rest[...open]
      rest = rest[rest.index(after: open)...]
      result += before
      if before.last == "<" {
        let target = rest.prefix { $0 != ">" && $0 != "<" }
        result += text(target)
        rest = rest[target.endIndex...]
      } else if let end = endOfQuotation(rest) {
        let isAnchor = before.filter { !$0.isWhitespace }.lowercased().hasSuffix("anchor=\"")
        result += isAnchor ? text(rest[..<end]) : String(rest[..<end])
        result.append("\"")
        rest = rest[rest.index(after: end)...]
      } else {
        // All further quotation marks are escaped from here on, so another search to the end is pointless.
        hasQuotations = false
      }
    }
    return result + rest
  }

  /// Returns the position of the closing quotation mark, or nil if the text is not a quotation.
  private static func endOfQuotation(_ text: Substring) -> Substring.Index? {
    var isEscaped = false
    return text.firstIndex { character in
      if isEscaped {
        isEscaped = false
        return false
      }
      isEscaped = character == "\\"
      return character == "\""
    }
  }

  private func text(ofReference text: Substring, mayBeRelative: Bool) -> String {
    let withoutFragment = text.prefix { $0 != "#" }
    let base = withoutFragment.prefix { $0 != "?" }
    let result = Self.withoutUserInfo(base, mayBeRelative: mayBeRelative)
    let query = withoutFragment.dropFirst(base.count + 1)
    guard !query.isEmpty else { return result }
    return result + "?" + hidden(items: query)
  }

  private static func textWithoutQuery(ofReference text: Substring, mayBeRelative: Bool) -> String {
    let base = text.prefix { $0 != "?" && $0 != "#" }
    let hasQuery = text.dropFirst(base.count).first == "?"
    return withoutUserInfo(base, mayBeRelative: mayBeRelative) + (hasQuery ? "?\(redactionMark)" : "")
  }

  package func isSecret(header name: String) -> Bool {
    let name = name.lowercased()
    return HTTPHeaders.redactedByDefault.contains(name) || headers.contains(name)
  }

  /// - Parameter name: The name as in the URL, percent-encoded or not.
  package func isSecret(queryItem name: Substring) -> Bool {
    let decoded = (name.replacing("+", with: " ").removingPercentEncoding ?? String(name)).lowercased()
    if isSecret(plainName: decoded) { return true }
    // Forms nest names, as in `user[password]`. Either part may be secret.
    guard decoded.contains("[") else { return false }
    return decoded.split { $0 == "[" || $0 == "]" }.contains { isSecret(plainName: String($0)) }
  }

  private func isSecret(plainName name: String) -> Bool {
    queryItems.contains(name) || Self.plainItems.contains(name.filter { $0 != "-" && $0 != "_" })
  }

  /// Returns the name that makes a query item secret, with or without a value. Nil if it is not secret.
  package func secretName(inItem item: Substring) -> Substring? {
    let name = item.prefix { $0 != "=" }
    return isSecret(queryItem: name) ? name : secret(inItem: item)?.name
  }

  /// Returns the text of a form with its secret items hidden. Nil for every other body, because the location of its
  /// secrets is unknown.
  package func text(ofBody data: Data, contentType: String?) -> String? {
    guard contentType?.lowercased().hasPrefix("application/x-www-form-urlencoded") == true else { return nil }
    return hidden(items: Self.ascii(String(decoding: data, as: UTF8.self))[...])
  }

  private func hidden(items: Substring) -> String {
    items.split(separator: "&", omittingEmptySubsequences: false).map(hidden(item:)).joined(separator: "&")
  }

  /// Some servers treat `;` like `&`, while others treat it as part of the value. Therefore, a name after `;` may be
  /// secret, and the rest of a secret value is hidden in both cases.
  private func hidden(item: Substring) -> String {
    guard let (_, equals) = secret(inItem: item) else { return String(item) }
    return "\(item[...equals])\(redactionMark)"
  }

  private func secret(inItem item: Substring) -> (name: Substring, equals: Substring.Index)? {
    var start = item.startIndex
    while let equals = item[start...].firstIndex(of: "=") {
      let names = item[start..<equals]
      let name = names.split(separator: ";").last ?? names
      if isSecret(queryItem: name) { return (name, equals) }
      guard let end = item[equals...].firstIndex(of: ";") else { break }
      start = item.index(after: end)
    }
    return nil
  }

  private static func withoutUserInfo(_ text: Substring, mayBeRelative: Bool) -> String {
    let head = text.prefix { $0 != "/" }
    let hasAuthority = head.isEmpty || head.hasSuffix(":") && !head.contains("@")
    if hasAuthority, text[head.endIndex...].hasPrefix("//") {
      return withoutUserInfo(text, behind: text.index(head.endIndex, offsetBy: 2))
    }
    // A path has no user name and may contain an `@`: `/@name`, `../@name`, `package@1.0`. It may also contain a URL.
    if mayBeRelative, head.first == "." || !head.contains(":") {
      guard let start = text.range(of: "://")?.upperBound else { return String(text) }
      return withoutUserInfo(text, behind: start)
    }
    // In a malformed URL, the user name and password may not follow two slashes, for example if there is no scheme or
    // only one slash. Everything before the last `@` is hidden.
    guard let at = text.lastIndex(of: "@") else { return String(text) }
    return redactionMark + text[at...]
  }

  private static func withoutUserInfo(_ text: Substring, behind start: Substring.Index) -> String {
    let authority = text[start...].prefix { $0 != "/" }
    guard let at = authority.lastIndex(of: "@") else { return String(text) }
    return text[..<start] + redactionMark + text[at...]
  }
}
