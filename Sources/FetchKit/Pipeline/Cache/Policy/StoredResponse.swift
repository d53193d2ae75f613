internal import Foundation

/// A response as it is kept: what was received, and what follows from it for its use.
final class StoredResponse: Sendable {
  let status: Int
  let version: ResponseHead.Version?
  /// Without the fields that concern one connection only.
  let headers: HTTPHeaders
  let body: Data
  /// When the request for it went out, for the age.
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

  /// Neither age nor an error ever makes up for a validation (RFC 9111 §4.2.4).
  var mustBeValidated: Bool { control.noCache || control.mustRevalidate }

  /// Whether it can ever be of use.
  func isWorthKeeping(offline: Duration) -> Bool {
    freshness.lifetime > freshness.initialAge || hasValidator || control.staleWhileRevalidate != nil
      || control.staleIfError != nil || offline > .zero && !mustBeValidated
  }

  /// About how many bytes of memory it takes.
  var cost: Int {
    headers.reduce(512 + body.count) { $0 + $1.name.utf8.count + $1.value.utf8.count + 32 }
  }

  /// The fields that ask the server whether it is still what there is (RFC 9111 §4.3.1).
  func addConditions(to headers: inout HTTPHeaders) {
    if let entityTag { headers["If-None-Match"] = entityTag }
    if let lastModified { headers["If-Modified-Since"] = lastModified }
  }

  /// The same with what a 304, or the answer to a HEAD, says of it (RFC 9111 §3.2, §4.3.4); nil where that speaks of
  /// another representation.
  func updated(by head: ResponseHead, requested: Date, received: Date) -> StoredResponse? {
    if let tag = head.headers["ETag"], let entityTag, !Self.isSameTag(tag, entityTag) { return nil }
    var merged = headers
    merged.removeAll(named: "Age")
    var seen: Set<String> = []
    for field in head.headers.withoutConnectionFields {
      let name = field.name.lowercased()
      guard !Self.fieldsOfTheBody.contains(name) else { continue }
      if seen.insert(name).inserted { merged.removeAll(named: name) }
      merged.append(field.value, for: field.name)
    }
    return StoredResponse(
      status: status, version: head.version ?? version, headers: merged, body: body, requested: requested,
      received: received)
  }

  /// They speak of the bytes that are kept, which a response without a body does not change.
  private static let fieldsOfTheBody: Set<String> = ["content-length", "content-encoding", "content-range"]

  /// Weak comparison (RFC 9110 §8.8.3.2).
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

  /// Without what concerns one connection only, named by `Connection` or known (RFC 9111 §3.1).
  var withoutConnectionFields: HTTPHeaders {
    var named: Set<String> = []
    for value in values(for: "Connection") { FieldMembers.forEach(in: value) { named.insert($0.lowercased()) } }
    return HTTPHeaders(
      filter { field in
        let name = field.name.lowercased()
        return !Self.connectionFields.contains(name) && !named.contains(name)
      })
  }
}
