/// The request fields that a response varies by (RFC 9110 §12.5.5), and their values in a request.
enum VaryKey {
  /// Returns the names in `Vary`, in lower case and sorted. Empty if there is no such field; nil for `*`, which no
  /// request matches.
  static func names(in headers: HTTPHeaders) -> [String]? {
    var names: Set<String> = []
    for field in headers where field.name.equalsIgnoringASCIICase("Vary") {
      HTTPListField.forEach(in: field.value) { names.insert($0.lowercased()) }
    }
    return names.contains("*") ? nil : names.sorted()
  }

  /// Returns a text that is equal for two requests that the same response can serve (RFC 9111 §4.1).
  ///
  /// The lines of a field are combined, and whitespace around commas is ignored. In content negotiation fields, the
  /// case and the order of members are ignored; weights are part of a member.
  static func text(of names: [String], in headers: HTTPHeaders) -> String {
    var text = ""
    for name in names {
      let values = headers.values(for: name)
      text += name
      // A missing field differs from an empty one.
      text += values.isEmpty ? "-" : "="
      var members: [String] = []
      let isNegotiation = negotiation.contains(name)
      for value in values {
        HTTPListField.forEach(in: value) { members.append(isNegotiation ? $0.lowercased() : String($0)) }
      }
      if isNegotiation { members.sort() }
      text += members.joined(separator: ",")
      text += "\n"
    }
    return text
  }

  private static let negotiation: Set<String> = ["accept", "accept-charset", "accept-encoding", "accept-language"]
}
