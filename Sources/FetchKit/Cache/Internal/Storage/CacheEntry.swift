/// The entry stored under a pair of keys: the URL and the variant.
enum CacheEntry: Sendable {
  case response(StoredResponse)
  /// The responses of this URL vary by these fields. They are stored under the digest of the request's values for them.
  case varying([String])

  var cost: Int {
    switch self {
    case .response(let stored): stored.cost
    case .varying(let names): names.reduce(128) { $0 + $1.utf8.count }
    }
  }
}
