internal import Foundation

/// Determines the request that follows each response of one attempt, if any.
struct RedirectFollower {
  private static let bodyFields = [
    "Content-Type", "Content-Length", "Content-Encoding", "Content-Language", "Content-Location", "Transfer-Encoding",
    "Digest", "Content-Digest", "Repr-Digest", "Content-MD5", "Expect",
  ]

  private let policy: RedirectPolicy
  private let redactor: Redactor
  private var visited: Set<String> = []
  private(set) var redirects: [Redirect] = []
  /// Whether the origin that the credentials belong to has been left.
  private(set) var isForeign = false

  init(_ policy: RedirectPolicy, redactor: Redactor) {
    self.policy = policy
    self.redactor = redactor
  }

  /// What a response leads to.
  enum Decision {
    case deliver
    case follow(HTTPRequest)
    case fail(RedirectFailure)
  }

  /// Decides whether the response is final, leads to another request, or to a failure.
  func decide(after head: ResponseHead, to request: HTTPRequest) -> Decision {
    guard policy.limit > 0, [301, 302, 303, 307, 308].contains(head.status), let location = head.headers["Location"]
    else { return .deliver }
    guard redirects.count < policy.limit else { return .fail(.tooMany(limit: policy.limit)) }
    guard let target = resolve(location, from: request.url) else { return .fail(.invalidLocation) }

    var next = request
    next.url = target
    if head.status == 303 && request.method != .head || head.status <= 302 && request.method == .post {
      next.method = .get
      next.body = .none
      for name in Self.bodyFields { next.headers.removeAll(named: name) }
    }
    if let failure = secure(&next, from: request) { return .fail(failure) }
    return .follow(next)
  }

  /// Follows the redirect with a request that was decided on, and that a handler may have changed since.
  mutating func follow(_ chosen: HTTPRequest, after status: Int, to request: HTTPRequest) -> Decision {
    var next = chosen
    if let failure = secure(&next, from: request) { return .fail(failure) }
    visited.insert("\(request.method) \(request.url.absoluteString)")
    guard !visited.contains("\(next.method) \(next.url.absoluteString)") else { return .fail(.loop) }
    isForeign = isForeign || next.url.origin != request.url.origin
    redirects.append(Redirect(status: status, from: request.url, to: next.url, method: next.method))
    return .follow(next)
  }

  /// Applies the rules that no handler can change.
  private func secure(_ next: inout HTTPRequest, from request: HTTPRequest) -> RedirectFailure? {
    if request.url.scheme?.lowercased() == "https", next.url.scheme?.lowercased() == "http" { return .downgrade }
    if next.isOneShot { return .bodyNotReplayable }
    // The hidden names include the fields that an authenticator set. A handler's request may lack them.
    let hidden = next.headers.hiddenNames.union(request.headers.hiddenNames)
    next.headers.hiddenNames = hidden
    guard isForeign || request.url.origin != next.url.origin else { return nil }
    next.headers.removeAll {
      redactor.isSecret(header: $0.name) || hidden.contains($0.name.lowercased())
        || $0.name.equalsIgnoringASCIICase("Host")
    }
    next.options.cacheIdentity = nil
    return nil
  }

  private func resolve(_ location: String, from base: URL) -> URL? {
    guard let target = URL(reference: location, relativeTo: base)?.standardized,
      var parts = URLComponents(url: target, resolvingAgainstBaseURL: true),
      ["http", "https"].contains(parts.scheme?.lowercased()), parts.host?.isEmpty == false
    else { return nil }
    // A server must not choose the credentials sent to another server.
    parts.user = nil
    parts.password = nil
    parts.fragment = nil
    return parts.url
  }
}
