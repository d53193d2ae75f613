internal import Foundation

/// A request as stored in the journal, without the values of anything that carries credentials.
struct StoredRequest: Equatable, Sendable {
  private(set) var url: URL
  private(set) var headers: HTTPHeaders
  /// The names of what was left out: header fields, query items, or the URL's user.
  private(set) var removedSecrets: [String] = []

  init(_ request: HTTPRequest, _ redactor: Redactor) {
    var fields: [HTTPHeaders.Field] = []
    for field in request.headers {
      // If the field contains a URL, the redactor removes its fragment.
      let shown = redactor.text(of: field)
      if shown.contains(redactionMark) {
        removedSecrets.append(field.name)
      } else {
        fields.append(HTTPHeaders.Field(name: field.name, value: shown))
      }
    }
    headers = HTTPHeaders(fields)
    url = request.url
    guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return }
    // The fragment is meant only for the client and can be a token.
    parts.fragment = nil
    if parts.user != nil || parts.password != nil {
      (parts.user, parts.password) = (nil, nil)
      removedSecrets.append("user")
    }
    if let query = parts.percentEncodedQuery {
      let items = query.split(separator: "&", omittingEmptySubsequences: false)
      let secrets = items.compactMap { redactor.secretName(inItem: $0) }
      if !secrets.isEmpty {
        removedSecrets += secrets.map(String.init)
        let kept = items.filter { redactor.secretName(inItem: $0) == nil }
        parts.percentEncodedQuery = kept.isEmpty ? nil : kept.joined(separator: "&")
      }
    }
    url = parts.url ?? url
  }

  var request: HTTPRequest { HTTPRequest(.get, url, headers: headers) }

  func write(to writer: inout BinaryWriter) {
    writer.write(url.absoluteString)
    writer.write(Array(headers)) { writer, field in
      writer.write(field.name)
      writer.write(field.value)
    }
    writer.write(removedSecrets) { $0.write($1) }
  }

  init(from reader: inout BinaryReader) throws(BinaryReader.Malformed) {
    guard let url = URL(string: try reader.text()) else { throw BinaryReader.Malformed() }
    self.url = url
    let fields = try reader.list { (reader) throws(BinaryReader.Malformed) in
      HTTPHeaders.Field(name: try reader.text(), value: try reader.text())
    }
    headers = HTTPHeaders(fields)
    removedSecrets = try reader.list { (reader) throws(BinaryReader.Malformed) in try reader.text() }
  }
}
