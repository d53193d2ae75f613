#if canImport(CLarderCurl)
extension CurlTransport {
  /// Creates a transport with the default configuration, modified by `configure`.
  ///
  /// - Throws: ``SetupError`` if the configuration is invalid, or if the installed libcurl does not support it.
  public convenience init(_ configure: (inout Configuration) -> Void = { _ in }) throws(SetupError) {
    var configuration = Configuration()
    configure(&configuration)
    try self.init(CurlSettings(configuration, library: CurlLibrary.load()))
  }

  convenience init(_ settings: CurlSettings) throws(SetupError) {
    try CurlEasy().validate(settings)
    self.init(try CurlLoop(settings))
  }
}
#endif
