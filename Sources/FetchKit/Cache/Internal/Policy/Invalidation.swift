internal import Foundation

/// Determines which stored responses a new response invalidates (RFC 9111 §4.4).
enum Invalidation {
  /// Returns the URLs that an unsafe request has changed. Empty if the request failed or was safe.
  static func urls(_ query: CacheRequest, _ head: ResponseHead) -> [String] {
    guard !query.method.isSafe, (200..<400).contains(head.status) else { return [] }
    var urls = [query.url]
    let origin = URL(string: query.url)?.origin
    for name in ["Location", "Content-Location"] {
      guard let reference = head.headers[name], let url = query.resolved(reference), !urls.contains(url),
        URL(string: url)?.origin == origin
      else { continue }
      urls.append(url)
    }
    return urls
  }
}
