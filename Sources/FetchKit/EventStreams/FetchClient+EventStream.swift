extension FetchClient {
  /// Returns an asynchronous sequence of the server-sent events in the response to a request.
  ///
  /// The request is sent when the first event is requested. The client's retry policy does not apply to the stream.
  ///
  /// - Parameters:
  ///   - request: The request for the stream.
  ///   - reconnection: When the request is sent again. By default, a GET request is, with a
  ///     ``ReconnectionPolicy/baseDelay`` of 3 seconds, and any other request is not.
  ///   - idle: The maximum time without a byte from the server, comments included. Then the stream reconnects, or
  ///     throws if it does not reconnect. By default, the ``Timeouts/idle`` of the request's own timeouts applies, or
  ///     none if it has none: many servers are silent until an event occurs. Pass a little more than twice the interval
  ///     of the comments that your server sends to keep the connection open, for example 40 seconds for 15.
  public func events(
    _ request: some HTTPRequestConvertible, reconnection: ReconnectionPolicy? = nil, idle: Duration? = nil
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
        client: self, request: .success(request),
        reconnection: reconnection ?? (request.method == .get ? ReconnectionPolicy(baseDelay: .seconds(3)) : .never))
    } catch {
      return EventStream(client: self, request: .failure(error), reconnection: .never)
    }
  }
}
