#if canImport(CLarderCurl)
internal import CLarderCurl
internal import Foundation

/// A libcurl easy handle and the buffer for its error text, reused for one transfer after another.
final class CurlEasy {
  /// What transfers must have in common to share a handle without setting its options again.
  struct Shape: Equatable {
    var isTLS: Bool
    /// Set only if the configuration differs between hosts.
    var host: String?
    var method: HTTPMethod
    var allowsHTTP2: Bool
    /// Whether the body is decoded.
    var decodes: Bool
  }

  /// What the options are set for; nil for a handle that must be reset before use.
  var shape: Shape?
  let handle: UnsafeMutableRawPointer
  private var isUsed = false
  private let share: CurlShare?
  private let errorBuffer: UnsafeMutablePointer<CChar>

  init(sharing share: CurlShare? = nil) throws(CurlTransport.SetupError) {
    guard let handle = curl_easy_init() else { throw .noResources(reason: "libcurl could not create an easy handle") }
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

  /// Restores the options of a new handle, except for what it shares. The handle must not be in a multi handle.
  func reset() {
    if isUsed { curl_easy_reset(handle) }
    isUsed = true
    shape = nil
  }

  /// Uses no open connection for the next transfer, after which the handle has to be reset.
  func useNewConnection() {
    set(CURLOPT_FRESH_CONNECT, 1)
    shape = nil
  }

  func collectErrorText() {
    errorBuffer.pointee = 0
    ccurl_set_pointer(handle, CURLOPT_ERRORBUFFER, errorBuffer)
  }

  /// libcurl's description of the error. It can name the host, but never a header, a query or a password.
  func text(for code: CURLcode) -> String {
    errorBuffer.pointee == 0 ? String(cString: curl_easy_strerror(code)) : String(cString: errorBuffer)
  }

  @discardableResult
  func set(_ option: CURLoption, _ value: Int) -> CURLcode {
    ccurl_set_long(handle, option, value)
  }

  @discardableResult
  func set(_ option: CURLoption, _ value: String) -> CURLcode {
    // Passing the string itself to C would copy it to the heap first.
    value.withCString { ccurl_set_string(handle, option, $0) }
  }

  /// Sets an option to a copy of the data.
  func set(_ option: CURLoption, _ data: Data) -> CURLcode {
    data.withUnsafeBytes { ccurl_set_blob(handle, option, $0.baseAddress, $0.count) }
  }

  /// Checks that an option that must not be silently omitted was set.
  func need(_ feature: CurlTransport.Feature, _ code: CURLcode) throws(CurlTransport.SetupError) {
    guard code == CURLE_OK else { throw .missing(feature) }
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

  /// Identifies the current connection among all open connections. The pointer must never be dereferenced.
  var tlsSession: UnsafeRawPointer? { ccurl_get_tls_session(handle) }

  /// The bytes of both bodies as transferred over the network.
  var movedBytes: Int { offset(CURLINFO_SIZE_UPLOAD_T) + offset(CURLINFO_SIZE_DOWNLOAD_T) }

  func string(_ info: CURLINFO) -> String? {
    var value: UnsafePointer<CChar>?
    ccurl_get_string(handle, info, &value)
    return value.map { String(cString: $0) }
  }
}
#endif
