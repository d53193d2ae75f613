/// A stored response that may be used if no response arrives.
struct StaleFallback {
  var stored: StoredResponse
  var query: CacheRequest
  var request: HTTPRequest
}
