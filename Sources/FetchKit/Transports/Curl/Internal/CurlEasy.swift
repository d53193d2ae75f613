#if os(Linux)
internal import CCurl

/// An easy handle of libcurl's and the buffer for its error text; used again for one transfer after another.
final class CurlEasy {
  /// What is the same for transfers between which the handle's options need not be set anew.
  struct Shape: Equatable {
    var isTLS: Bool
    /// Named only where hosts differ in what holds for them.
    var host: String?
    var method: HTTPMethod
    var offersHTTP2: Bool
    var decompresses: Bool
  }

  /// What the options are set for; nil for a handle that must be reset before it is used.
  var shape: Shape?
  let handle: UnsafeMutableRawPointer
  private let share: CurlShare?
  private let errorBuffer: UnsafeMutablePointer<CChar>

  init(sharing share: CurlShare? = nil) throws(CurlTransport.SetupError) {
    guard let handle = curl_easy_init() else { throw .noResources(reason: "libcurl could not make a handle") }
    self.handle = handle
    self.share = share
    if let share { ccurl_set_pointer(handle, CURLOPT_SHARE, share.handle) }
    errorBuffer = .allocate(capacity: Int(CURL_ERROR_SIZE))
    errorBuffer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
  }

  deinit {
    curl_easy_cleanup(handle)
    errorBuffer.deallocate()
  }

  /// Back to a new handle's options, but for what it shares. The handle must not be in a multi.
  func reset() {
    curl_easy_reset(handle)
    shape = nil
  }

  func collectErrorText() {
    errorBuffer.pointee = 0
    ccurl_set_pointer(handle, CURLOPT_ERRORBUFFER, errorBuffer)
  }

  /// What libcurl says went wrong: it may name the host, never a header, a query or a password.
  func text(for code: CURLcode) -> String {
    errorBuffer.pointee == 0 ? String(cString: curl_easy_strerror(code)) : String(cString: errorBuffer)
  }

  func set(_ option: CURLoption, _ value: Int) {
    ccurl_set_long(handle, option, value)
  }

  @discardableResult
  func set(_ option: CURLoption, _ value: String) -> CURLcode {
    // Handing the string itself to C would copy it to the heap first.
    value.withCString { ccurl_set_string(handle, option, $0) }
  }

  /// Sets what must not be left out silently.
  func set(
    _ option: CURLoption, _ value: Int, needs feature: CurlTransport.Feature
  ) throws(CurlTransport.SetupError) {
    guard ccurl_set_long(handle, option, value) == CURLE_OK else { throw .missing(feature) }
  }

  /// Sets what must not be left out silently.
  func set(
    _ option: CURLoption, _ value: String, needs feature: CurlTransport.Feature
  ) throws(CurlTransport.SetupError) {
    guard set(option, value) == CURLE_OK else { throw .missing(feature) }
  }

  func long(_ info: CURLINFO) -> Int {
    var value = 0
    ccurl_get_long(handle, info, &value)
    return value
  }

  func offset(_ info: CURLINFO) -> Int {
    var value: curl_off_t = 0
    ccurl_get_offset(handle, info, &value)
    return Int(value)
  }

  /// By which the connection that it is on at this moment differs from all others that stand. Never to be followed.
  var tlsSession: UnsafeRawPointer? { ccurl_get_tls_session(handle) }

  /// Bytes of both bodies, as they went over the wire.
  var movedBytes: Int { offset(CURLINFO_SIZE_UPLOAD_T) + offset(CURLINFO_SIZE_DOWNLOAD_T) }

  func string(_ info: CURLINFO) -> String? {
    var value: UnsafePointer<CChar>?
    ccurl_get_string(handle, info, &value)
    return value.map { String(cString: $0) }
  }
}
#endif
