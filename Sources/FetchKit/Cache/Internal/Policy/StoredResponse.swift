internal import Foundation

/// A stored response: the data received and the properties derived from it.
final class StoredResponse: Sendable {
  let status: Int
  let version: ResponseHead.Version?
  /// The header fields, except those that apply to only one connection.
  let headers: HTTPHeaders
  let body: Data
  /// When the request was sent. Needed for the age.
  let requested: Date
  let control: CacheControl
  let freshness: Freshness
  let entityTag: String?
  let lastModified: String?

  init(
    status: Int, version: ResponseHead.Version?, headers: HTTPHeaders, body: Data, requested: Date, received: Date
  ) {
    self.status = status
    self.version = version
    self.headers = headers
    self.body = body
    self.requested = requested
    control = CacheControl(headers)
    freshness = Freshness(status: status, headers, control, requested: requested, received: received)
    entityTag = headers["ETag"]
    lastModified = headers["Last-Modified"]
  }

  convenience init(_ head: ResponseHead, _ body: Data, requested: Date, received: Date) {
    self.init(
      status: head.status, version: head.version, headers: head.headers.withoutConnectionFields, body: body,
      requested: requested, received: received)
  }

  var hasValidator: Bool { entityTag != nil || lastModified != nil }

  /// Whether the response must always be validated before use, regardless of its age and of errors (RFC 9111 §4.2.4).
  var mustBeValidated: Bool { control.noCache || control.mustRevalidate }

  /// Whether the response can ever be used again.
  func isWorthKeeping(offline: Duration) -> Bool {
    freshness.lifetime > freshness.initialAge || hasValidator || control.staleWhileRevalidate != nil
      || control.staleIfError != nil || offline > .zero && !mustBeValidated
  }

  /// The approximate size in memory, in bytes.
  var cost: Int {
    headers.reduce(512 + body.count) { $0 + $1.name.utf8.count + $1.value.utf8.count + 32 }
  }

  /// Adds the fields that ask the server whether the response is still current (RFC 9111 §4.3.1).
  func addConditions(to headers: inout HTTPHeaders) {
    if let entityTag { headers["If-None-Match"] = entityTag }
    if let lastModified { headers["If-Modified-Since"] = lastModified }
  }

  /// Returns the response updated by a 304 response or by the response to a HEAD request (RFC 9111 §3.2, §4.3.4). Nil
  /// if that response describes another representation.
  func updated(by head: ResponseHead, requested: Date, received: Date) -> StoredResponse? {
    if let tag = head.headers["ETag"], let entityTag, !Self.isSameTag(tag, entityTag) { return nil }
    var merged = headers
    merged.removeAll(named: "Age")
    var seen: Set<String> = []
    for field in head.headers.withoutConnectionFields {
      let name = field.name.lowercased()
      guard !Self.bodyFields.contains(name) else { continue }
      if seen.insert(name).inserted { merged.removeAll(named: name) }
      merged.append(field.value, for: field.name)
    }
    return StoredResponse(
      status: status, version: head.version ?? version, headers: merged, body: body, requested: requested,
      received: received)
  }

  /// These fields describe the stored bytes, which a response without a body does not change.
  private static let bodyFields: Set<String> = ["content-length", "content-encoding", "content-range"]

  /// Whether the tags are equal by weak comparison (RFC 9110 §8.8.3.2).
  private static func isSameTag(_ left: String, _ right: String) -> Bool {
    let left = left.hasPrefix("W/") ? left.dropFirst(2) : left[...]
    let right = right.hasPrefix("W/") ? right.dropFirst(2) : right[...]
    return left == right
  }
}

extension HTTPHeaders {
  private static let connectionFields: Set<String> = [
    "connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
    "proxy-authenticate", "proxy-authentication-info", "proxy-authorization",
  ]

  /// The fields, except those that apply to only one connection, which are either well known or named by `Connection`
  /// (RFC 9111 §3.1).
  var withoutConnectionFields: HTTPHeaders {
    var named: Set<String> = []
    for value in values(for: "Connection") { HTTPListField.forEach(in: value) { named.insert($0.lowercased()) } }
    return HTTPHeaders(
      filter { field in
        let name = field.name.lowercased()
        return !Self.connectionFields.contains(name) && !named.contains(name)
      })
  }
}
