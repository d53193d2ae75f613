internal import Foundation

/// What every request goes through between the client and the transport.
struct Pipeline: Sendable {
  private let configuration: FetchClient.Configuration
  private let redactor: Redactor

  init(_ configuration: FetchClient.Configuration) {
    self.configuration = configuration
    redactor = Redactor(queryItems: configuration.redactedQueryItems, headers: configuration.redactedHeaders)
  }

  /// The response, its status checked.
  func respond(to request: FetchRequest) async throws(FetchError) -> FetchResponse {
    let start = ContinuousClock.now
    var context = context(of: request)
    let body: Data
    let head: ResponseHead
    do throws(TransportError) {
      let response = try await configuration.transport.send(transportRequest(request))
      head = response.head
      body = try await response.body.collect(upTo: (request.options.limits ?? configuration.limits).body)
    } catch {
      context.attempts = [Attempt(outcome: .failed(error), duration: .now - start)]
      throw FetchError(error, context)
    }
    let attempts = [Attempt(outcome: .status(head.status), duration: .now - start)]
    let response = FetchResponse(head: head, body: body, method: request.method, url: request.url, attempts: attempts)
    try check(response, accepted: request.options.acceptedStatus ?? configuration.acceptedStatus)
    return response
  }

  func extract<Value>(
    _ strategy: ExtractionStrategy<Value>, from response: FetchResponse
  ) throws(FetchError) -> Value {
    do {
      return try strategy.extract(response)
    } catch {
      throw .extraction(error, context(of: response))
    }
  }

  func context(of request: FetchRequest?) -> FetchError.Context {
    FetchError.Context(method: request?.method ?? .get, url: request?.url, redactor: redactor)
  }

  private func context(of response: FetchResponse) -> FetchError.Context {
    FetchError.Context(
      method: response.method, url: response.url, redactor: redactor, attempts: response.attempts)
  }

  private func check(_ response: FetchResponse, accepted: Range<Int>) throws(FetchError) {
    guard !accepted.contains(response.status) else { return }
    let failure = StatusFailure(
      status: response.status, headers: response.headers, body: response.body.prefix(StatusFailure.keptBytes),
      isBodyTruncated: response.body.count > StatusFailure.keptBytes)
    throw .status(failure, context(of: response))
  }

  private func transportRequest(_ request: FetchRequest) -> TransportRequest {
    var headers = request.headers
    for field in configuration.headers where headers[field.name] == nil { headers.append(field.value, for: field.name) }
    if let contentType = request.body.contentType, headers["Content-Type"] == nil {
      headers.append(contentType, for: "Content-Type")
    }
    return TransportRequest(
      request.method, request.url, headers: headers, body: request.body,
      deadlines: request.options.deadlines ?? configuration.deadlines,
      limits: request.options.limits ?? configuration.limits)
  }
}
