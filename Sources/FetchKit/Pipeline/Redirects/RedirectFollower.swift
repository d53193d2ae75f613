internal import Foundation

/// Says for each response of one attempt which request follows it, if any.
struct RedirectFollower {
  private static let bodyFields = [
    "Content-Type", "Content-Length", "Content-Encoding", "Content-Language", "Content-Location", "Transfer-Encoding",
    "Digest", "Content-Digest", "Repr-Digest", "Content-MD5", "Expect",
  ]

  private let policy: RedirectPolicy
  private let redactor: Redactor
  private var visited: Set<String> = []
  private(set) var redirects: [Redirect] = []

  init(_ policy: RedirectPolicy, redactor: Redactor) {
    self.policy = policy
    self.redactor = redactor
  }

  /// The request that the response leads to; nil when it is to be delivered.
  mutating func next(after head: ResponseHead, to request: HTTPRequest) throws(RedirectFault) -> HTTPRequest? {
    guard policy.limit > 0, [301, 302, 303, 307, 308].contains(head.status), let location = head.headers["Location"]
    else { return nil }
    guard redirects.count < policy.limit else { throw .tooMany(limit: policy.limit) }
    let target = try resolve(location, from: request.url)
    if request.url.scheme?.lowercased() == "https", target.scheme?.lowercased() == "http" { throw .downgrade }

    var next = request
    next.url = target
    if head.status == 303 && request.method != .head || head.status <= 302 && request.method == .post {
      next.method = .get
      next.body = .none
      for name in Self.bodyFields { next.headers.removeAll(named: name) }
    } else if next.body.isOneShot, !next.body.isEmpty {
      throw .bodyNotReplayable
    }
    if request.url.origin != target.origin {
      // Those that an authenticator set are among the hidden ones.
      let hidden = next.headers.hiddenNames
      next.headers.removeAll {
        redactor.isSecret(header: $0.name) || hidden.contains($0.name.lowercased())
          || $0.name.equalsIgnoringASCIICase("Host")
      }
      next.marks = [:]
    }
    visited.insert("\(request.method) \(request.url.absoluteString)")
    guard !visited.contains("\(next.method) \(target.absoluteString)") else { throw .loop }
    redirects.append(Redirect(status: head.status, from: request.url, to: target, method: next.method))
    return next
  }

  private func resolve(_ location: String, from base: URL) throws(RedirectFault) -> URL {
    guard let target = URL(reference: location, relativeTo: base)?.standardized,
      var parts = URLComponents(url: target, resolvingAgainstBaseURL: true),
      ["http", "https"].contains(parts.scheme?.lowercased()), parts.host?.isEmpty == false
    else { throw .invalidLocation }
    // A server must not choose the credentials that go to another one.
    parts.user = nil
    parts.password = nil
    parts.fragment = nil
    guard let url = parts.url else { throw .invalidLocation }
    return url
  }
}
