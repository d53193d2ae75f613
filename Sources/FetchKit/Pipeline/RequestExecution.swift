internal import Foundation

/// One fetch on its way through the pipeline.
///
/// Its methods stay on the executor of their caller. The client has already left the caller's actor. Checking that
/// again on each call would take a tenth of the total time spent here.
struct RequestExecution {
  /// A response and how it was obtained.
  struct Reply {
    var head: ResponseHead
    var body: ResponseBody
    var request: HTTPRequest
    var redirects: [Redirect] = []
    var source = FetchResponse.Source.network
    /// Held while a stream is being read.
    var permit: Permit?
  }

  /// The progress of an attempt.
  private struct Way {
    /// The last request sent: the first one, or the target of the last redirect.
    var current: HTTPRequest
    var isRedirected = false
  }

  private static let mostAttempts = 10

  let pipeline: Pipeline
  let delivery: TransportRequest.Delivery
  let request: HTTPRequest
  let limits: ResponseLimits
  let timeouts: Timeouts
  let policy: RetryPolicy
  let reporter: FetchReporter?
  let begun: Duration
  var attempts: [Attempt] = []
  /// The time that the transport spent on this attempt. Waiting for a turn does not count.
  private var attemptSpent = Duration.zero
  var standIn: StaleFallback?
  /// Returns how long the last of the coalesced fetches still waits. Each of them keeps its own timeouts.
  var sharedRemaining: (@Sendable () -> Duration?)?

  init(_ pipeline: Pipeline, _ request: HTTPRequest, _ delivery: TransportRequest.Delivery) {
    let configuration = pipeline.configuration
    self.pipeline = pipeline
    var request = request.prepared(for: configuration)
    request.headers.hiddenNames = pipeline.redactor.headers
    self.request = request
    self.delivery = delivery
    limits = request.options.limits ?? configuration.limits
    timeouts = request.options.timeouts ?? configuration.timeouts
    policy = request.options.retry ?? configuration.retry
    begun = pipeline.time.now()
    reporter = FetchReporter(pipeline, begun)
  }

  /// The time left of the total timeout.
  var remaining: Duration? {
    if let sharedRemaining { return sharedRemaining() }
    return timeouts.total.map { $0 - (pipeline.time.now() - begun) }
  }

  /// How long this fetch waits for its turn. A coalesced fetch leaves the shared run at its own timeout; a timeout here
  /// would apply to all of them.
  private var patience: Duration? { sharedRemaining == nil ? remaining : nil }

  /// Makes attempts until one succeeds or no further attempt is allowed.
  ///
  /// - Parameter conclude: Makes the value of the fetch from the reply and the attempts.
  nonisolated(nonsending) mutating func perform<Value>(
    _ conclude: (Reply, [Attempt]) throws(FetchError) -> Value
  ) async throws(FetchError) -> Value {
    reporter?.note(.started, request)
    do throws(FetchError) {
      let reply = try await answerOrStandIn()
      let value = try conclude(reply, attempts)
      reporter?.note(.succeeded(status: reply.head.status), request)
      return value
    } catch {
      reporter?.note(.failed(error), request)
      throw error
    }
  }

  nonisolated(nonsending) private mutating func answerOrStandIn() async throws(FetchError) -> Reply {
    do throws(FetchError) {
      guard let coalescer = pipeline.coalescer else { return try await performAttempts() }
      return try await performShared(coalescer)
    } catch {
      guard let reply = standIn(for: error) else { throw error }
      return reply
    }
  }

  /// - Parameter first: The request for the first attempt, if the interceptors have already adapted it.
  nonisolated(nonsending) mutating func performAttempts(_ first: HTTPRequest? = nil) async throws(FetchError) -> Reply {
    var first = first
    let accepted = request.options.acceptableStatusCodes ?? pipeline.configuration.acceptableStatusCodes
    var retry = RetryState(policy, isRepeatable: request.isRepeatable, isReplayable: !request.isOneShot)
    var asked = Array(repeating: 0, count: pipeline.configuration.interceptors.count)
    let host = policy.maxAttempts > 1 ? request.url.origin : ""
    if policy.maxAttempts > 1, let budget = policy.budget {
      pipeline.budgets.noteRequest(to: host, budget, now: pipeline.time.now())
    }
    while true {
      let adapted: HTTPRequest
      if let known = first { adapted = known } else { adapted = try await adapt() }
      first = nil
      // The interceptors may have changed the method or the body.
      let isOneShot = request.isOneShot || adapted.isOneShot
      (retry.isRepeatable, retry.isReplayable) = (adapted.isRepeatable, !isOneShot)
      var way = Way(current: adapted)
      var failure: FetchError
      var retryAfter: Duration?
      var isStored = false
      do throws(FetchError) {
        let reply = try await attempt(&way)
        if accepted.contains(reply.head.status) { return reply }
        retryAfter = RetryAfter.delay(in: reply.head.headers, now: pipeline.configuration.date())
        isStored = reply.source != .network
        failure = await statusError(reply)
      } catch {
        failure = error
      }
      guard !Task.isCancelled else { throw .cancelled(context(of: adapted)) }
      let delay: Duration
      var sent = adapted
      // A refusal after a redirect concerns the credentials sent to the redirect's target. A POST that was answered
      // with a redirect has been processed, so renewing the credentials must not send it again.
      let mayHaveActed = !adapted.isRepeatable && way.current.method != adapted.method
      sent.marks = mayHaveActed ? [:] : way.current.marks
      switch try await interceptorsDecision(after: failure, of: sent, &asked) {
      case .giveUp: throw failure
      case .retry(let asked):
        guard !isOneShot, attempts.count < Self.mostAttempts else { throw failure }
        if let remaining, asked >= remaining { throw .timeout(.total, context(of: adapted)) }
        delay = asked
      case .asConfigured where isStored: throw failure
      case .asConfigured:
        let decision = retry.next(
          after: RetryState.Failure(failure, policy: policy, retryAfter: retryAfter, wasAnswered: way.isRedirected),
          random: pipeline.configuration.random(), remaining: remaining
        ) { policy.budget.map { pipeline.budgets.takeRetry(to: host, $0, now: pipeline.time.now()) } ?? true }
        guard case .retry(let after) = decision else { throw failure }
        delay = after
      }
      reporter?.note(.retrying(failure, after: delay), adapted)
      try await wait(delay)
    }
  }

  /// Makes one attempt: the request and the redirects that follow it.
  nonisolated(nonsending) private mutating func attempt(_ way: inout Way) async throws(FetchError) -> Reply {
    reporter?.note(.sending(attempt: attempts.count + 1), way.current)
    let start = pipeline.time.now()
    attemptSpent = .zero
    var follower = RedirectFollower(
      way.current.options.redirects ?? pipeline.configuration.redirects, redactor: pipeline.redactor)
    while true {
      var reply: Reply
      do throws(TransportError) {
        reply = try await answer(way.current)
      } catch {
        attempts.append(Attempt(outcome: .failed(error), duration: pipeline.time.now() - start))
        throw FetchError(error, context(of: way.current))
      }
      reply.head.headers.hiddenNames = pipeline.redactor.headers
      reporter?.note(.received(status: reply.head.status, bytes: reply.body.data?.count), way.current)
      switch follower.decide(after: reply.head, to: way.current) {
      case .deliver:
        attempts.append(Attempt(outcome: .status(reply.head.status), duration: pipeline.time.now() - start))
        reply.redirects = follower.redirects
        return reply
      case .follow(let next):
        reporter?.note(
          .redirected(status: reply.head.status, to: pipeline.redactor.text(of: next.url)), way.current)
        way = Way(current: next, isRedirected: true)
      case .fail(let failure):
        attempts.append(Attempt(outcome: .refusedRedirect(failure), duration: pipeline.time.now() - start))
        throw .redirect(failure, context(of: way.current))
      }
    }
  }

  /// Sends one request to the transport when it is its turn.
  nonisolated(nonsending) mutating func hop(_ current: HTTPRequest) async throws(TransportError) -> Reply {
    let host = current.url.origin
    let permit: Permit
    do throws(ConcurrencyLimiter.Refusal) {
      try await pipeline.rateLimiter?.admit(host, within: patience)
      permit = try await pipeline.admission.admit(host, current.options.priority, within: patience)
    } catch {
      switch error {
      case .cancelled: throw .cancelled
      case .outOfTime: throw .timeout(.total)
      }
    }
    var timeouts = timeouts
    timeouts.total = [patience, policy.attemptTimeout.map { $0 - attemptSpent }].compactMap { $0 }.min()
    if let total = timeouts.total, total <= .zero { throw .timeout(.total) }
    let sent = policy.attemptTimeout == nil ? .zero : pipeline.time.now()
    defer { if policy.attemptTimeout != nil { attemptSpent += pipeline.time.now() - sent } }
    var request = TransportRequest(
      current.method, current.url, headers: current.headers, body: current.body, delivery: delivery,
      timeouts: timeouts, limits: limits)
    request.allowsResend = current.isRepeatable && !current.isOneShot
    request.uploadProgress = current.options.uploadProgress
    let response = try await pipeline.configuration.transport.send(request)
    if let rateLimiter = pipeline.rateLimiter {
      let retryAfter = RetryAfter.delay(in: response.head.headers, now: pipeline.configuration.date())
      rateLimiter.note(host, response.head, retryAfter: retryAfter)
    }
    guard delivery == .whole else {
      return Reply(head: response.head, body: response.body, request: current, permit: permit)
    }
    defer { permit.release() }
    let limit = limits.body(forStatus: response.head.status)
    let body = try await response.body.collect(upTo: limit)
    return Reply(head: response.head, body: ResponseBody(body), request: current)
  }

  func context(of request: HTTPRequest) -> FetchError.Context {
    FetchError.Context(method: request.method, url: request.url, redactor: pipeline.redactor, attempts: attempts)
  }

  nonisolated(nonsending) private func statusError(_ reply: Reply) async -> FetchError {
    var kept = Data()
    var isTruncated = false
    if let whole = reply.body.data {
      isTruncated = whole.count > StatusFailure.keptBytes
      // A slice would retain the whole body.
      kept = isTruncated ? whole.subdata(in: whole.startIndex..<whole.startIndex + StatusFailure.keptBytes) : whole
    } else {
      do {
        for try await chunk in reply.body {
          let room = StatusFailure.keptBytes - kept.count
          kept += chunk.prefix(room)
          isTruncated = chunk.count > room
          if isTruncated { break }
        }
      } catch {
        // The status code is the failure. An incomplete body only explains less.
        isTruncated = true
      }
    }
    let failure = StatusFailure(
      status: reply.head.status, headers: reply.head.headers, body: kept, isBodyTruncated: isTruncated)
    return .status(failure, context(of: reply.request))
  }

  nonisolated(nonsending) private func wait(_ delay: Duration) async throws(FetchError) {
    guard delay > .zero else { return }
    do {
      try await pipeline.time.sleep(delay)
    } catch {
      throw .cancelled(context(of: request))
    }
  }
}
