package import Foundation

/// Hides secrets in URLs and headers before they reach a text.
package struct Redactor: Sendable {
  /// Query items that carry credentials nearly everywhere, in lower case.
  package static let commonQueryItems: Set<String> = [
    "access_key", "access_token", "api_key", "api_secret", "api_sig", "app_id", "assertion", "auth", "auth_token",
    "authorization", "client_assertion", "client_secret", "code", "code_verifier", "id_token", "jwt", "key",
    "oauth_consumer_key", "oauth_signature", "oauth_token", "oauth_verifier", "pass", "passphrase", "passwd",
    "password", "private_key", "private_token", "pwd", "refresh_token", "secret", "secret_key", "session",
    "session_id", "sessionid", "sid", "sig", "sign", "signature", "subscription_key", "token", "x-amz-credential",
    "x-amz-security-token", "x-amz-signature", "x-api-key",
  ]

  /// The same without their dashes and underscores, in which services differ.
  private static let plainItems = Set(commonQueryItems.map { $0.filter { $0 != "-" && $0 != "_" } })

  package static let standard = Redactor(queryItems: [], headers: [])

  private let queryItems: Set<String>
  /// The names of secret fields besides ``HTTPHeaders/redactedByDefault``, in lower case.
  let headers: Set<String>

  package init(queryItems: Set<String>, headers: Set<String>) {
    self.queryItems = Self.commonQueryItems.union(queryItems.map { $0.lowercased() })
    self.headers = Set(headers.map { $0.lowercased() })
  }

  /// The URL without user, password and fragment, the values of secret query items hidden.
  package func text(of url: URL) -> String { text(ofReference: url.absoluteString[...], mayBeRelative: false) }

  /// The URL without user, password and fragment, and with nothing of its query: for texts made where no client's
  /// configuration is known.
  static func textWithoutQuery(of url: URL) -> String {
    textWithoutQuery(ofReference: url.absoluteString[...], mayBeRelative: false)
  }

  /// The value of a header field as it may be shown: hidden where it is secret, its URLs without their secrets where it
  /// has some.
  ///
  /// - Parameter names: Further names to hide, in lower case.
  package func text(of field: HTTPHeaders.Field, hiding names: Set<String> = []) -> String {
    if isSecret(header: field.name) || names.contains(field.name.lowercased()) { return redactionMark }
    return Self.references(in: field) { text(ofReference: $0, mayBeRelative: true) }
  }

  /// The same where no client's configuration is known.
  static func text(of field: HTTPHeaders.Field, hiding names: Set<String>) -> String {
    if names.contains(field.name.lowercased()) { return redactionMark }
    return references(in: field) { textWithoutQuery(ofReference: $0, mayBeRelative: true) }
  }

  /// The fields whose values are URLs, which may carry credentials of their own.
  private static let referenceFields: Set<String> = ["location", "content-location", "link", "referer", "refresh"]

  private static func references(in field: HTTPHeaders.Field, _ text: (Substring) -> String) -> String {
    let name = field.name.lowercased()
    guard referenceFields.contains(name) else { return field.value }
    // Without a bracket a `Link` has no link, and whatever it is may be shown as little as a URL.
    if name == "link", field.value.contains("<") { return links(in: field.value, text) }
    let start = name == "refresh" ? startOfReference(inRefresh: field.value) : field.value.startIndex
    return field.value[..<start] + text(field.value[start...])
  }

  /// Behind the seconds of `5; url=https://example.com/`, in the spellings browsers take.
  private static func startOfReference(inRefresh value: String) -> String.Index {
    let lead = /[0-9]*(?:\.[0-9]*)?[\s;,]*(?:url\s*=\s*)?["']?/.ignoresCase()
    return value.prefixMatch(of: lead)?.range.upperBound ?? value.startIndex
  }

  /// In `Link` (RFC 8288) the URLs stand between angle brackets and in `anchor`; a title may hold any of their
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
        // All that follow are escaped, as seen from here: none of them is worth another search to the end.
        hasQuotations = false
      }
    }
    return result + rest
  }

  /// Where the closing quotation mark is; nil when there is none, and what follows is no quotation.
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

  /// - Parameter name: As it stands in the URL, percent-encoded or not.
  package func isSecret(queryItem name: Substring) -> Bool {
    let decoded = (name.replacing("+", with: " ").removingPercentEncoding ?? String(name)).lowercased()
    if isSecret(plainName: decoded) { return true }
    // Of `user[password]`, as forms nest their names, either part may tell.
    guard decoded.contains("[") else { return false }
    return decoded.split { $0 == "[" || $0 == "]" }.contains { isSecret(plainName: String($0)) }
  }

  private func isSecret(plainName name: String) -> Bool {
    queryItems.contains(name) || Self.plainItems.contains(name.filter { $0 != "-" && $0 != "_" })
  }

  /// The name in an item of a query that makes it a secret, be there a value or not; nil where it is none.
  package func secretName(inItem item: Substring) -> Substring? {
    let name = item.prefix { $0 != "=" }
    return isSecret(queryItem: name) ? name : secret(inItem: item)?.name
  }

  /// The text of a form, its secret items hidden; nil for every other body, since nobody knows where its secrets are.
  package func text(ofBody data: Data, contentType: String?) -> String? {
    guard contentType?.lowercased().hasPrefix("application/x-www-form-urlencoded") == true else { return nil }
    return hidden(items: String(decoding: data, as: UTF8.self)[...])
  }

  private func hidden(items: Substring) -> String {
    items.split(separator: "&", omittingEmptySubsequences: false).map(hidden(item:)).joined(separator: "&")
  }

  /// Some servers take `;` for `&`, to others it is part of the value: behind it a name may be secret, and the rest of
  /// a secret value is hidden whoever is right.
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
    // A path has no user, and may well have an `@`: `/@name`, `../@name`, `package@1.0`. A URL may stand in one.
    if mayBeRelative, head.first == "." || !head.contains(":") {
      guard let start = text.range(of: "://")?.upperBound else { return String(text) }
      return withoutUserInfo(text, behind: start)
    }
    // A URL that is malformed may have its user and password elsewhere than behind two slashes: with the scheme
    // forgotten, or with one slash. What stands before the last `@` is not shown, wherever that is.
    guard let at = text.lastIndex(of: "@") else { return String(text) }
    return redactionMark + text[at...]
  }

  private static func withoutUserInfo(_ text: Substring, behind start: Substring.Index) -> String {
    let authority = text[start...].prefix { $0 != "/" }
    guard let at = authority.lastIndex(of: "@") else { return String(text) }
    return text[..<start] + redactionMark + text[at...]
  }
}
