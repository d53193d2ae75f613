extension FetchClient {
  /// The events that a server sends, for as long as they are read.
  ///
  /// Nothing is sent before the first is asked for. Retrying is the stream's own business: the client's policy does not
  /// apply.
  public func events(_ request: some HTTPRequestConvertible) -> EventStream {
    do throws(FetchError) {
      var request = try request.httpRequest()
      if request.headers["Accept"] == nil { request.headers["Accept"] = "text/event-stream" }
      if request.headers["Cache-Control"] == nil { request.headers["Cache-Control"] = "no-store" }
      let options = request.options
      request.options.deadlines =
        options.deadlines ?? Deadlines(connect: configuration.deadlines.connect, idle: nil, total: nil)
      request.options.limits = options.limits ?? ResponseLimits(headers: configuration.limits.headers, body: .max)
      request.options.retry = options.retry ?? RetryPolicy.none
      return EventStream(client: self, request: .success(request))
    } catch {
      return EventStream(client: self, request: .failure(error))
    }
  }
}
