/// What is kept under a pair of keys: the URL, and what else a response depends on.
enum CacheEntry: Sendable {
  case response(StoredResponse)
  /// The responses of this URL vary by these fields, and are kept under the digest of what a request says in them.
  case varying([String])

  var cost: Int {
    switch self {
    case .response(let stored): stored.cost
    case .varying(let names): names.reduce(128) { $0 + $1.utf8.count }
    }
  }
}
