/// Which fields of a request a response depends on (RFC 9110 §12.5.5), and what a request says in them.
enum Variance {
  /// The names in `Vary`, in lower case and sorted, none where there is none; nil for `*`, which no request matches.
  static func names(in headers: HTTPHeaders) -> [String]? {
    var names: Set<String> = []
    for field in headers where field.name.equalsIgnoringASCIICase("Vary") {
      FieldMembers.forEach(in: field.value) { names.insert($0.lowercased()) }
    }
    return names.contains("*") ? nil : names.sorted()
  }

  /// The same text for two requests that such a response serves alike (RFC 9111 §4.1).
  ///
  /// Lines of a field are combined and white space around commas does not count; in the fields of content negotiation
  /// neither case nor the order of members counts, weights apart.
  static func text(of names: [String], in headers: HTTPHeaders) -> String {
    var text = ""
    for name in names {
      let values = headers.values(for: name)
      text += name
      // A field that is missing is not one that is empty.
      text += values.isEmpty ? "-" : "="
      var members: [String] = []
      let isNegotiation = negotiation.contains(name)
      for value in values {
        FieldMembers.forEach(in: value) { members.append(isNegotiation ? $0.lowercased() : String($0)) }
      }
      if isNegotiation { members.sort() }
      text += members.joined(separator: ",")
      text += "\n"
    }
    return text
  }

  private static let negotiation: Set<String> = ["accept", "accept-charset", "accept-encoding", "accept-language"]
}
