internal import Foundation

/// A request as stored in the journal, without the values of anything that carries credentials.
struct StoredRequest: BinaryWritable, Equatable, Sendable {
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
    writer.write(url.absoluteString, headers, removedSecrets)
  }

  init(from reader: inout BinaryReader) throws(BinaryReader.Malformed) {
    guard let url = URL(string: try reader.text()) else { throw BinaryReader.Malformed() }
    self.url = url
    headers = try HTTPHeaders(from: &reader)
    removedSecrets = try reader.list { (reader) throws(BinaryReader.Malformed) in try reader.text() }
  }
}
