internal import Foundation

/// A request as the journal keeps it: without the values of anything that carries credentials.
struct StoredRequest: Equatable, Sendable {
  private(set) var url: URL
  private(set) var headers: HTTPHeaders
  /// What was left out: fields, query items, or the URL's user.
  private(set) var removedSecrets: [String] = []

  init(_ request: HTTPRequest, _ redactor: Redactor) {
    headers = HTTPHeaders(request.headers.filter { !redactor.isSecret(header: $0.name) })
    removedSecrets = request.headers.filter { redactor.isSecret(header: $0.name) }.map(\.name)
    url = request.url
    guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return }
    if parts.user != nil || parts.password != nil {
      (parts.user, parts.password) = (nil, nil)
      removedSecrets.append("user")
    }
    if let query = parts.percentEncodedQuery {
      let items = query.split(separator: "&", omittingEmptySubsequences: false)
      let secret = items.filter { redactor.isSecret(queryItem: $0.prefix { $0 != "=" }) }
      if !secret.isEmpty {
        removedSecrets += secret.map { String($0.prefix { $0 != "=" }) }
        let kept = items.filter { item in !secret.contains(item) }
        parts.percentEncodedQuery = kept.isEmpty ? nil : kept.joined(separator: "&")
      }
    }
    url = parts.url ?? url
  }

  var request: HTTPRequest { HTTPRequest(.get, url, headers: headers) }

  func write(to writer: inout JournalWriter) {
    writer.write(url.absoluteString)
    writer.write(Array(headers)) { writer, field in
      writer.write(field.name)
      writer.write(field.value)
    }
    writer.write(removedSecrets) { $0.write($1) }
  }

  init(from reader: inout JournalReader) throws(JournalReader.Malformed) {
    guard let url = URL(string: try reader.text()) else { throw JournalReader.Malformed() }
    self.url = url
    let fields = try reader.list { (reader) throws(JournalReader.Malformed) in
      HTTPHeaders.Field(name: try reader.text(), value: try reader.text())
    }
    headers = HTTPHeaders(fields)
    removedSecrets = try reader.list { (reader) throws(JournalReader.Malformed) in try reader.text() }
  }
}
