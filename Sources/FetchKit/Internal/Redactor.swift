package import Foundation

/// Hides secrets in URLs and headers before they reach a text.
package struct Redactor: Sendable {
  /// Query items that carry credentials nearly everywhere, in lower case.
  package static let commonQueryItems: Set<String> = [
    "access_token", "api_key", "app_id", "auth", "auth_token", "authorization", "client_secret", "code",
    "id_token",
    "jwt", "key", "pass", "passwd", "password", "private_key", "pwd", "refresh_token", "secret", "session",
    "session_id",
    "sessionid", "sid", "sig", "sign", "signature", "token", "x-amz-credential", "x-amz-security-token",
    "x-amz-signature", "x-api-key", "subscription_key",
  ]

  /// The same without their dashes and underscores, in which services differ.
  private static let plainItems = Set(commonQueryItems.map { $0.filter { $0 != "-" && $0 != "_" } })

  package static let standard = Redactor(queryItems: [], headers: [])

  private let queryItems: Set<String>
  private let headers: Set<String>

  package init(queryItems: Set<String>, headers: Set<String>) {
    self.queryItems = Self.commonQueryItems.union(queryItems.map { $0.lowercased() })
    self.headers = Set(headers.map { $0.lowercased() })
  }

  /// The URL without user, password and fragment, the values of secret query items hidden.
  package func text(of url: URL) -> String { text(ofReference: url.absoluteString[...]) }

  /// The URL without user, password and fragment, and with nothing of its query: for texts made where no client's
  /// configuration is known.
  static func textWithoutQuery(of url: URL) -> String { textWithoutQuery(ofReference: url.absoluteString[...]) }

  /// The value of a header field as it may be shown: hidden where it is secret, its URLs without their secrets where it has some.
  package func text(of field: HTTPHeaders.Field) -> String {
    if isSecret(header: field.name) { return redactionMark }
    return Self.references(in: field) { text(ofReference: $0) }
  }

  /// The same where no client's configuration is known.
  static func text(of field: HTTPHeaders.Field, hiding names: Set<String>) -> String {
    if names.contains(field.name.lowercased()) { return redactionMark }
    return references(in: field) { textWithoutQuery(ofReference: $0) }
  }

  /// The fields whose values are URLs, which may carry credentials of their own.
  private static let referenceFields: Set<String> = ["location", "content-location", "link", "referer", "refresh"]

  private static func references(in field: HTTPHeaders.Field, _ text: (Substring) -> String) -> String {
    guard referenceFields.contains(field.name.lowercased()) else { return field.value }
    // In `Link` they stand between angle brackets, elsewhere the value is one.
    return field.value.split(separator: ">", omittingEmptySubsequences: false).map { part in
      let start = part.lastIndex(of: "<").map(part.index(after:)) ?? part.startIndex
      return part[..<start] + text(part[start...])
    }.joined(separator: ">")
  }

  private func text(ofReference text: Substring) -> String {
    let withoutFragment = text.prefix { $0 != "#" }
    let base = withoutFragment.prefix { $0 != "?" }
    let result = Self.withoutUserInfo(base)
    let query = withoutFragment.dropFirst(base.count + 1)
    guard !query.isEmpty else { return result }
    return result + "?" + hidden(items: query)
  }

  private static func textWithoutQuery(ofReference text: Substring) -> String {
    let base = text.prefix { $0 != "?" && $0 != "#" }
    let hasQuery = text.dropFirst(base.count).first == "?"
    return withoutUserInfo(base) + (hasQuery ? "?\(redactionMark)" : "")
  }

  package func isSecret(header name: String) -> Bool {
    let name = name.lowercased()
    return HTTPHeaders.redactedByDefault.contains(name) || headers.contains(name)
  }

  /// - Parameter name: As it stands in the URL, percent-encoded or not.
  package func isSecret(queryItem name: Substring) -> Bool {
    let decoded = (name.replacing("+", with: " ").removingPercentEncoding ?? String(name)).lowercased()
    return queryItems.contains(decoded) || Self.plainItems.contains(decoded.filter { $0 != "-" && $0 != "_" })
  }

  /// The text of a form, its secret items hidden; nil for every other body, since nobody knows where its secrets are.
  package func text(ofBody data: Data, contentType: String?) -> String? {
    guard contentType?.lowercased().hasPrefix("application/x-www-form-urlencoded") == true, data.count <= 4096 else {
      return nil
    }
    return hidden(items: String(decoding: data, as: UTF8.self)[...])
  }

  private func hidden(items: Substring) -> String {
    items.split(separator: "&", omittingEmptySubsequences: false).map(hidden(item:)).joined(separator: "&")
  }

  /// Some servers take `;` for `&`, to others it is part of the value: behind it a name may be secret, and the rest of a
  /// secret value is hidden whoever is right.
  private func hidden(item: Substring) -> String {
    var start = item.startIndex
    while let equals = item[start...].firstIndex(of: "=") {
      let name = item[start..<equals]
      let end = item[equals...].firstIndex(of: ";") ?? item.endIndex
      if isSecret(queryItem: name.split(separator: ";").last ?? name) { return "\(item[...equals])\(redactionMark)" }
      guard end < item.endIndex else { break }
      start = item.index(after: end)
    }
    return String(item)
  }

  private static func withoutUserInfo(_ text: Substring) -> String {
    // A URL that is malformed may have its user and password elsewhere than behind two slashes: with the scheme forgotten,
    // or with one slash. What stands before the last `@` is not shown, wherever that is.
    guard let start = text.range(of: "//")?.upperBound else {
      guard let at = text.lastIndex(of: "@") else { return String(text) }
      return redactionMark + text[at...]
    }
    let authority = text[start...].prefix { $0 != "/" }
    guard let at = authority.lastIndex(of: "@") else { return String(text) }
    return text[..<start] + redactionMark + text[at...]
  }
}
