/// Decides which responses a private cache stores (RFC 9111 §3).
enum StoragePolicy {
  /// Whether a response with the status code may be stored without an explicit lifetime (RFC 9110 §15.1).
  static func isHeuristic(_ status: Int) -> Bool {
    switch status {
    case 200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501: true
    default: false
    }
  }

  /// Whether to store the response to a request.
  static func allows(_ query: CacheRequest, _ head: ResponseHead, _ control: CacheControl) -> Bool {
    guard query.writesStored, query.method == .get, head.status >= 200, head.status != 206, head.status != 304 else {
      return false
    }
    if control.mustUnderstand {
      guard isUnderstood(head.status) else { return false }
    } else if control.noStore {
      return false
    }
    let isExplicit = control.isPublic || control.maxAge != nil || head.headers["Expires"] != nil
    return isExplicit || isHeuristic(head.status)
  }

  /// Whether the response to a POST is also the response to a GET of the same URL (RFC 9110 §9.3.3).
  static func servesGet(_ query: CacheRequest, _ head: ResponseHead, _ control: CacheControl) -> Bool {
    guard query.writesStored, query.method == .post, (200..<300).contains(head.status), head.status != 206,
      !control.noStore, control.maxAge != nil || head.headers["Expires"] != nil,
      let location = head.headers["Content-Location"]
    else { return false }
    return query.resolved(location) == query.url
  }

  /// The status codes with a defined meaning for caches, for `must-understand` (RFC 9111 §5.2.2.3).
  private static func isUnderstood(_ status: Int) -> Bool {
    isHeuristic(status) || [201, 202, 205, 302, 303, 307, 400, 401, 403, 406, 408, 409].contains(status)
      || (411...417).contains(status) || [421, 422, 426, 500, 502, 503, 504, 505].contains(status)
  }
}
