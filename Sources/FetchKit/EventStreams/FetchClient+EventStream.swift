extension FetchClient {
  /// Returns an asynchronous sequence of the server-sent events in the response to a request.
  ///
  /// The request is sent when the first event is requested. The stream reconnects automatically. The client's retry
  /// policy does not apply to the stream.
  public func events(_ request: some HTTPRequestConvertible) -> EventStream {
    do throws(FetchError) {
      var request = try request.httpRequest()
      if request.headers["Accept"] == nil { request.headers["Accept"] = "text/event-stream" }
      if request.headers["Cache-Control"] == nil { request.headers["Cache-Control"] = "no-store" }
      let options = request.options
      request.options.timeouts =
        options.timeouts ?? Timeouts(connect: configuration.timeouts.connect, idle: nil, total: nil)
      request.options.limits = options.limits ?? ResponseLimits(headers: configuration.limits.headers, body: .max)
      request.options.retry = options.retry ?? RetryPolicy.none
      return EventStream(client: self, request: .success(request))
    } catch {
      return EventStream(client: self, request: .failure(error))
    }
  }
}
