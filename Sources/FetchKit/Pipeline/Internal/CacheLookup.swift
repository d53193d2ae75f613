/// A request to the cache, and what was found at which moment.
struct CacheLookup: Sendable {
  let cache: HTTPCache
  let query: CacheRequest
  let request: HTTPRequest
  let stored: StoredResponse?
  let moment: Int
}
