extension HTTPHeaders: CustomStringConvertible, CustomReflectable {
  /// The names of fields whose values never appear in a description, in lower case.
  public static let redactedByDefault: Set<String> = [
    "authorization", "proxy-authorization", "cookie", "set-cookie", "www-authenticate", "proxy-authenticate",
    "api-key", "apikey", "ocp-apim-subscription-key", "private-token", "x-access-token", "x-amz-security-token",
    "x-api-key", "x-auth-key", "x-auth-token", "x-csrf-token", "x-goog-api-key", "x-vault-token", "x-xsrf-token",
  ]

  /// One line per field, the values of ``redactedByDefault`` hidden, and of URLs (`Location`, `Link`, …) user,
  /// password, query and fragment.
  ///
  /// Fields of a response, or of a request that a client has prepared, hide what that client's `redactedHeaders` name
  /// too.
  public var description: String { description(redacting: []) }

  /// The same with the values of the names given hidden too.
  public func description(redacting names: Set<String>) -> String {
    let hidden = Self.redactedByDefault.union(hiddenNames).union(names.map { $0.lowercased() })
    return map { "\($0.name): \(Redactor.text(of: $0, hiding: hidden))" }.joined(separator: "\n")
  }

  /// Shows what ``description`` shows, so that `dump` gives away no more.
  public var customMirror: Mirror {
    Mirror(self, children: ["fields": description])
  }
}

extension HTTPHeaders.Field: CustomStringConvertible, CustomReflectable {
  /// The line as ``HTTPHeaders/description`` has it, the values of ``HTTPHeaders/redactedByDefault`` hidden.
  public var description: String {
    "\(name): \(Redactor.text(of: self, hiding: HTTPHeaders.redactedByDefault))"
  }

  /// Shows what ``description`` shows, so that `dump` gives away no more.
  public var customMirror: Mirror {
    Mirror(self, children: ["field": description])
  }
}

/// What stands in place of a secret.
package let redactionMark = "<redacted>"
