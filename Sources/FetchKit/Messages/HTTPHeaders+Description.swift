extension HTTPHeaders: CustomStringConvertible, CustomReflectable {
  /// The lowercase names of the header fields that are known to carry credentials. Descriptions always hide the values
  /// of these fields.
  public static let redactedByDefault: Set<String> = [
    "authorization", "proxy-authorization", "cookie", "set-cookie", "www-authenticate", "proxy-authenticate",
    "api-key", "apikey", "ocp-apim-subscription-key", "private-token", "x-access-token", "x-amz-security-token",
    "x-api-key", "x-auth-key", "x-auth-token", "x-csrf-token", "x-goog-api-key", "x-vault-token", "x-xsrf-token",
  ]

  /// A description that contains one header field per line. The values of the fields in ``redactedByDefault`` are
  /// hidden. In fields that contain URLs, such as `Location` and `Link`, the user name, password, query and fragment
  /// are hidden.
  ///
  /// In a response, and in a request that a client has prepared, the description also hides the values of the fields in
  /// the client's `redactedHeaders`.
  public var description: String { description(redacting: []) }

  /// Returns a description that also hides the values of the fields with the given names.
  public func description(redacting names: Set<String>) -> String {
    let hidden = Self.redactedByDefault.union(hiddenNames).union(names.map { $0.lowercased() })
    return map { "\($0.name): \(Redactor.text(of: $0, hiding: hidden))" }.joined(separator: "\n")
  }

  /// A mirror that contains only the text of ``description``, so that `dump` does not reveal hidden values.
  public var customMirror: Mirror {
    Mirror(self, children: ["fields": description])
  }
}

extension HTTPHeaders.Field: CustomStringConvertible, CustomReflectable {
  /// The name and the value of the field. The value is hidden if the name is in ``HTTPHeaders/redactedByDefault``.
  public var description: String {
    "\(name): \(Redactor.text(of: self, hiding: HTTPHeaders.redactedByDefault))"
  }

  /// A mirror that contains only the text of ``description``, so that `dump` does not reveal hidden values.
  public var customMirror: Mirror {
    Mirror(self, children: ["field": description])
  }
}

/// The text that replaces a secret.
package let redactionMark = "<redacted>"
