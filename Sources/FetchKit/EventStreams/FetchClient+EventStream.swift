extension FetchClient {
  /// Returns an asynchronous sequence of the server-sent events in the response to a request.
  ///
  /// The request is sent when the first event is requested. The client's retry policy does not apply to the stream.
  ///
  /// - Parameters:
  ///   - request: The request for the stream.
  ///   - reconnects: Whether the request is sent again when the connection ends or is lost. By default, it is true for
  ///     a GET request only.
  ///   - waitsWhenBusy: Whether a stream that reconnects also sends the request again after status code 429 or 503 with
  ///     `Retry-After`, or 429 with the end of the rate limit in its fields, when that time has come. A wait of more
  ///     than one hour throws the error, as every other status code does. The default is false.
  ///   - idle: The maximum time without a byte from the server, comments included. Then the stream reconnects, or
  ///     throws if it does not reconnect. By default, the ``Timeouts/idle`` of the request's own timeouts applies, or
  ///     none if it has none: many servers are silent until an event occurs. Pass a little more than twice the interval
  ///     of the comments that your server sends to keep the connection open, for example 40 seconds for 15.
  public func events(
    _ request: some HTTPRequestConvertible, reconnects: Bool? = nil, waitsWhenBusy: Bool = false,
    idle: Duration? = nil
  ) -> EventStream {
    do throws(FetchError) {
      var request = try request.httpRequest()
      if request.headers["Accept"] == nil { request.headers["Accept"] = "text/event-stream" }
      if request.headers["Cache-Control"] == nil { request.headers["Cache-Control"] = "no-store" }
      let options = request.options
      var timeouts = options.timeouts ?? Timeouts(connect: configuration.timeouts.connect, idle: nil, total: nil)
      if let idle { timeouts.idle = idle }
      request.options.timeouts = timeouts
      request.options.limits = options.limits ?? ResponseLimits(headers: configuration.limits.headers, body: .max)
      request.options.retry = options.retry ?? RetryPolicy.none
      return EventStream(
        client: self, request: .success(request), reconnects: reconnects ?? (request.method == .get),
        waitsWhenBusy: waitsWhenBusy)
    } catch {
      return EventStream(client: self, request: .failure(error), reconnects: false, waitsWhenBusy: false)
    }
  }
}
