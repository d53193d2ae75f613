extension FetchClient {
  /// Returns an asynchronous sequence of the server-sent events in the response to a request.
  ///
  /// The request is sent when the first event is requested. The client's retry policy does not apply to the stream.
  ///
  /// If `reconnects` is true, the request is sent again when the connection ends or is lost. By default, it is true for
  /// a GET request only.
  public func events(_ request: some HTTPRequestConvertible, reconnects: Bool? = nil) -> EventStream {
    do throws(FetchError) {
      var request = try request.httpRequest()
      if request.headers["Accept"] == nil { request.headers["Accept"] = "text/event-stream" }
      if request.headers["Cache-Control"] == nil { request.headers["Cache-Control"] = "no-store" }
      let options = request.options
      request.options.timeouts =
        options.timeouts ?? Timeouts(connect: configuration.timeouts.connect, idle: nil, total: nil)
      request.options.limits = options.limits ?? ResponseLimits(headers: configuration.limits.headers, body: .max)
      request.options.retry = options.retry ?? RetryPolicy.none
      return EventStream(
        client: self, request: .success(request), reconnects: reconnects ?? (request.method == .get))
    } catch {
      return EventStream(client: self, request: .failure(error), reconnects: false)
    }
  }
}
