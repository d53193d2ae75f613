#if canImport(CLarderCurl)
internal import CLarderCurl

/// The version and features of the loaded libcurl.
struct CurlLibrary: Sendable {
  /// For example 0x07_57_00 for 7.87.0.
  var version: UInt32
  var text: String
  var hasTLS: Bool
  var hasAsynchronousLookup: Bool
  var hasHTTPSProxy: Bool
  /// The file of certificate authorities that it uses by default.
  var authorityFile: String?
  /// The content codings that libcurl removes for us, in lower case.
  var decoders: Set<String> = []

  private static let loaded = Lock<CurlLibrary?>(nil)

  /// Loads the library, and remembers the first success. A failure can be temporary, when memory or descriptors run
  /// out.
  static func load() throws(CurlTransport.SetupError) -> CurlLibrary {
    try loaded.withLock { (loaded) throws(CurlTransport.SetupError) in
      if let loaded { return loaded }
      let library = try initialized()
      loaded = library
      return library
    }
  }

  /// `curl_global_cleanup` is never called, because Foundation's URLSession uses the same library.
  private static func initialized() throws(CurlTransport.SetupError) -> CurlLibrary {
    guard curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK, let info = curl_version_info(CURLVERSION_SEVENTH) else {
      throw .noResources(reason: "libcurl could not be initialized")
    }
    let features = info.pointee.features
    var library = CurlLibrary(
      version: info.pointee.version_num, text: String(cString: info.pointee.version),
      hasTLS: features & CURL_VERSION_SSL != 0, hasAsynchronousLookup: features & CURL_VERSION_ASYNCHDNS != 0,
      hasHTTPSProxy: features & CURL_VERSION_HTTPS_PROXY != 0)
    library.authorityFile = info.pointee.cainfo.map { String(cString: $0) }
    // From 8.5 on, libcurl decides before we know the coding, and could not leave gzip to us.
    if library.version < 0x08_05_00 {
      if features & CURL_VERSION_BROTLI != 0 { library.decoders.insert("br") }
      if features & CURL_VERSION_ZSTD != 0 { library.decoders.insert("zstd") }
    }
    try library.check()
    return library
  }

  /// Checks the minimum requirements of every transport.
  func check() throws(CurlTransport.SetupError) {
    // PREREQFUNCTION, which blocks the repetition of a request that must not be repeated, has existed since 7.80.
    guard version >= 0x07_50_00 else { throw .libraryTooOld(version: text, needed: "7.80") }
    guard hasAsynchronousLookup else { throw .missing(.asynchronousLookup) }
  }

  /// What is offered to servers.
  var acceptEncoding: String { (["gzip", "deflate"] + decoders.sorted()).joined(separator: ", ") }

  /// Whether its texts name the last stream that a server has processed; see ``CurlHTTP2Note``.
  var reportsLastStream: Bool { version >= 0x07_58_00 }

  /// Whether a write to a closed TLS connection raises SIGPIPE on the calling thread: before 7.87, OpenSSL writes.
  var maySignal: Bool { version < 0x07_57_00 }

  /// Whether libcurl itself discards a kept connection on which unsolicited bytes wait.
  var rejectsUnsolicitedBytes: Bool { version >= 0x08_00_00 }

  /// Whether trailers leak memory on a kept connection (https://github.com/curl/curl/issues/17749).
  var leaksTrailers: Bool { version < 0x08_06_00 }

  /// Whether libcurl polls for writability when an HTTP/2 server accepts no more of a body, although the socket is
  /// writable all the time (https://github.com/curl/curl/issues/10618).
  var spinsOnHTTP2Uploads: Bool { (0x07_58_00..<0x08_00_00).contains(version) }

  /// Whether a handle can serve one transfer after another.
  ///
  /// From 7.84.0 to 8.0.1 a used handle keeps a pointer to a freed header, and writes to it if the next head begins
  /// with whitespace. A server could corrupt memory this way (https://github.com/curl/curl/issues/11101).
  var canReuseHandles: Bool { !(0x07_54_00..<0x08_01_00).contains(version) }
}
#endif
