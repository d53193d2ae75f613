extension HTTPHeaders: CustomStringConvertible, CustomReflectable {
  /// The names of the header fields whose values never appear in a description. The names are in lowercase.
  public static let redactedByDefault: Set<String> = [
    "authorization", "proxy-authorization", "cookie", "set-cookie", "www-authenticate", "proxy-authenticate",
    "api-key", "apikey", "ocp-apim-subscription-key", "private-token", "x-access-token", "x-amz-security-token",
    "x-api-key", "x-auth-key", "x-auth-token", "x-csrf-token", "x-goog-api-key", "x-vault-token", "x-xsrf-token",
  ]

  /// The header fields, one per line. The values of the fields in ``redactedByDefault`` are hidden. In fields that
  /// contain URLs, such as `Location` and `Link`, the user name, password, query and fragment are hidden.
  ///
  /// In a response, and in a request that a client has prepared, the values of the fields in the client's
  /// `redactedHeaders` are also hidden.
  public var description: String { description(redacting: []) }

  /// Returns the description, with the values of additional fields hidden.
  public func description(redacting names: Set<String>) -> String {
    let hidden = Self.redactedByDefault.union(hiddenNames).union(names.map { $0.lowercased() })
    return map { "\($0.name): \(Redactor.text(of: $0, hiding: hidden))" }.joined(separator: "\n")
  }

  /// The same text as ``description``, so that `dump` reveals nothing more.
  public var customMirror: Mirror {
    Mirror(self, children: ["fields": description])
  }
}

extension HTTPHeaders.Field: CustomStringConvertible, CustomReflectable {
  /// The field as it appears in ``HTTPHeaders/description``. The value is hidden if the field is in
  /// ``HTTPHeaders/redactedByDefault``.
  public var description: String {
    "\(name): \(Redactor.text(of: self, hiding: HTTPHeaders.redactedByDefault))"
  }

  /// The same text as ``description``, so that `dump` reveals nothing more.
  public var customMirror: Mirror {
    Mirror(self, children: ["field": description])
  }
}

/// The text that replaces a secret.
package let redactionMark = "<redacted>"
