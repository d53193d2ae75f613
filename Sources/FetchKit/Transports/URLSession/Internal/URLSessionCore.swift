internal import Foundation

#if !canImport(Darwin)
internal import FoundationNetworking
#endif

/// The URL sessions of a transport, their delegate, and all exchanges.
///
/// Tasks are created, resumed, cancelled and completed only on `queue`. On Linux this is required: a cancel that
/// coincides with a redirect callback elsewhere ends the process, and a cancel from a task's cancellation handler
/// deadlocks.
///
/// `@unchecked Sendable`: the mutable members are used only in operations on `queue`, which runs one at a time and is
/// also the delegate queue of the sessions.
final class URLSessionCore: NSObject, @unchecked Sendable {
  /// A session never shares connections with another one. A host with TLS settings of its own has its own session, so
  /// that no connection that was opened without them is used for it.
  private struct SessionKey: Hashable {
    var host: String?
    /// Streams have connections of their own, which no other request waits for.
    var isStream = false
    /// False for requests that must not be repeated. The libcurl under URLSession on Linux sends any request again if
    /// its kept-alive connection dies; this session never keeps one alive.
    var keepsAlive = true
  }

  #if !canImport(Darwin)
  /// A suspended task starts over: `URLSessionPauseTests`.
  static let canPause = false
  #else
  static let canPause = true
  #endif

  /// How many bytes of a body can wait for their reader before the task is suspended.
  let pauseAt: Int
  /// How many bytes of a body without a limit can wait for their reader, however fast they arrive. Includes those that
  /// arrive after the task was suspended.
  let mostWaitingBytes: Int
  private let queue = OperationQueue()
  private let configuration: URLSessionTransport.Configuration
  private let tasksPerHost: Int
  private var sessions: [SessionKey: URLSession] = [:]
  private var isInvalid = false
  /// The hosts from which a response has arrived over a connection whose certificate has a pinned key.
  private var hostsWithKnownKey: Set<String> = []
  var running: [ObjectIdentifier: RunningTask] = [:]
  private var taskOfExchange: [ObjectIdentifier: URLSessionTask] = [:]
  private var runningPerHost: [String: Int] = [:]
  private var waitingPerHost: [String: [(exchange: URLSessionExchange, spooled: SpooledBody?)]] = [:]

  init(
    _ configuration: URLSessionTransport.Configuration, mostWaitingBytes: Int, canPause: Bool = URLSessionCore.canPause
  ) {
    self.configuration = configuration
    pauseAt = canPause ? max(1, configuration.streamBuffer) : .max
    tasksPerHost = max(1, configuration.connectionsPerHost)
    let (sum, overflow) = pauseAt.addingReportingOverflow(mostWaitingBytes)
    self.mostWaitingBytes = overflow ? mostWaitingBytes : sum
    super.init()
    queue.maxConcurrentOperationCount = 1
    queue.name = "larder.url-session"
  }

  /// The settings of a new session.
  var settings: URLSessionConfiguration {
    let settings = URLSessionConfiguration.ephemeral
    settings.urlCache = nil
    settings.urlCredentialStorage = nil
    settings.httpCookieStorage = nil
    settings.httpShouldSetCookies = false
    settings.timeoutIntervalForRequest = Self.never
    settings.httpMaximumConnectionsPerHost = tasksPerHost
    settings.allowsCellularAccess = configuration.allowsCellularAccess
    #if canImport(Darwin)
    settings.waitsForConnectivity = configuration.waitsForConnectivity
    settings.allowsExpensiveNetworkAccess = configuration.allowsExpensiveNetworkAccess
    settings.allowsConstrainedNetworkAccess = configuration.allowsConstrainedNetworkAccess
    #endif
    return settings
  }

  /// The most streams to one host. A client has its own, lower limit.
  private static let streamsPerHost = 256

  /// Seven days. Longer intervals, and infinity, trap on Linux.
  private static let never: TimeInterval = 604_800

  func start(_ exchange: URLSessionExchange, spooled: SpooledBody?) {
    queue.addOperation { [self] in
      let host = Self.key(exchange.request)
      guard canBegin(exchange, host) else {
        waitingPerHost[host, default: []].append((exchange, spooled))
        return
      }
      begin(exchange, spooled, host)
    }
  }

  /// Runs ahead of other operations in the queue. On Linux, the body of a fast server arrives without pause, one piece
  /// per operation, and a cancel behind thousands of them would come too late.
  func stop(_ exchange: URLSessionExchange) {
    let stop = BlockOperation { [self] in
      guard let task = taskOfExchange[ObjectIdentifier(exchange)] else {
        waitingPerHost[Self.key(exchange.request)]?.removeAll { $0.exchange === exchange }
        return
      }
      task.cancel()
      // In case a suspended task does not report its end.
      if running[ObjectIdentifier(task)]?.isPaused == true { task.resume() }
      // Reading it waits for URLSession's own queue, so the cancel is complete before the next callback.
      _ = task.priority
    }
    stop.queuePriority = .veryHigh
    queue.addOperation(stop)
  }

  /// Suspends the task if the reader of its body is slower, and resumes it when the reader has caught up.
  ///
  /// The decision is made in the queue and not by the caller, because two callers can overtake each other.
  func followReader(_ exchange: URLSessionExchange) {
    let follow = BlockOperation { [self] in
      guard let task = taskOfExchange[ObjectIdentifier(exchange)] else { return }
      let isHeldBack = exchange.isHeldBack
      guard running[ObjectIdentifier(task)]?.isPaused == !isHeldBack else { return }
      running[ObjectIdentifier(task)]?.isPaused = isHeldBack
      exchange.didPause(isHeldBack)
      isHeldBack ? task.suspend() : task.resume()
    }
    follow.queuePriority = .veryHigh
    queue.addOperation(follow)
  }

  /// Invalidates the sessions once their tasks are done. Nothing can be started afterward.
  func invalidate() {
    queue.addOperation { [self] in
      isInvalid = true
      for session in sessions.values { session.finishTasksAndInvalidate() }
      sessions = [:]
    }
  }

  private func begin(_ exchange: URLSessionExchange, _ spooled: SpooledBody?, _ host: String) {
    let request = exchange.request
    guard !exchange.hasEnded, let session = session(for: exchange) else { return }
    var urlRequest = URLRequest(
      url: request.url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: Self.never)
    urlRequest.httpMethod = request.method.rawValue
    for field in request.headers where !field.name.equalsIgnoringASCIICase("Content-Length") {
      urlRequest.addValue(field.value, forHTTPHeaderField: field.name)
    }
    #if !canImport(Darwin)
    if !request.allowsResend { urlRequest.setValue("close", forHTTPHeaderField: "Connection") }
    #endif
    if request.delivery == .stream, request.headers["Accept-Encoding"] == nil {
      urlRequest.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
    }
    for field in request.body.fields where request.headers[field.name] == nil {
      urlRequest.setValue(field.value, forHTTPHeaderField: field.name)
    }
    if !request.body.isEmpty, urlRequest.value(forHTTPHeaderField: "Content-Type") == nil {
      // Otherwise URLSession on Linux declares the body to be a form.
      urlRequest.setValue("application/octet-stream", forHTTPHeaderField: "Content-Type")
    }
    let task: URLSessionTask
    switch (request.body.content, spooled) {
    case (_, let spooled?): task = session.uploadTask(with: urlRequest, fromFile: spooled.file)
    case (.file(let file), nil):
      // The file may have been removed since validation. On Linux, anything but a regular file would end the process.
      do { _ = try file.lengthOfRegularFile() } catch { return exchange.end(.requestBody(error)) }
      // For a symbolic link, URLSession on Linux would send as many bytes as the link itself has.
      task = session.uploadTask(with: urlRequest, fromFile: file.resolvingSymlinksInPath())
    case (.data(let data), nil):
      urlRequest.httpBody = data
      task = session.dataTask(with: urlRequest)
    case (.none, nil), (.stream, nil): task = session.dataTask(with: urlRequest)
    }
    running[ObjectIdentifier(task)] = RunningTask(exchange: exchange, spooled: spooled, host: host)
    taskOfExchange[ObjectIdentifier(exchange)] = task
    runningPerHost[host, default: 0] += 1
    exchange.didStart()
    task.resume()
  }

  func ended(_ task: URLSessionTask) -> RunningTask? {
    guard let ended = running.removeValue(forKey: ObjectIdentifier(task)) else { return nil }
    taskOfExchange[ObjectIdentifier(ended.exchange)] = nil
    runningPerHost[ended.host, default: 1] -= 1
    while canBegin(ended.exchange, ended.host), waitingPerHost[ended.host]?.isEmpty == false,
      let next = waitingPerHost[ended.host]?.removeFirst()
    {
      begin(next.exchange, next.spooled, ended.host)
    }
    if runningPerHost[ended.host] == 0 { runningPerHost[ended.host] = nil }
    if waitingPerHost[ended.host]?.isEmpty == true { waitingPerHost[ended.host] = nil }
    return ended
  }

  private func canBegin(_ exchange: URLSessionExchange, _ host: String) -> Bool {
    runningPerHost[host, default: 0] < (exchange.request.delivery == .stream ? Self.streamsPerHost : tasksPerHost)
  }

  private func session(for exchange: URLSessionExchange) -> URLSession? {
    guard !isInvalid else { return nil }
    var key = SessionKey(host: exchange.host?.key, isStream: exchange.request.delivery == .stream)
    #if !canImport(Darwin)
    key.keepsAlive = exchange.request.allowsResend
    #endif
    if let session = sessions[key] { return session }
    let settings = settings
    if key.isStream { settings.httpMaximumConnectionsPerHost = Self.streamsPerHost }
    let session = URLSession(configuration: settings, delegate: self, delegateQueue: queue)
    sessions[key] = session
    return session
  }

  /// Whether the response's connection can be one whose key was not compared with the pinned ones: URLSession may have
  /// resumed a TLS session that another part of the process began, in which case it presents no certificate.
  func lacksKnownKey(_ exchange: URLSessionExchange) -> Bool {
    guard let host = exchange.host, !host.tls.pins.isEmpty else { return false }
    return !hostsWithKnownKey.contains(host.key)
  }

  /// Called when a response has arrived: the certificate has passed the system's verification.
  func noteKey(of task: URLSessionTask) {
    guard let task = running[ObjectIdentifier(task)], task.hasKnownKey, let host = task.exchange.host else { return }
    hostsWithKnownKey.insert(host.key)
  }

  /// Ends an exchange whose response came without a check. The request has been sent, so this is not reported as a TLS
  /// failure, after which it could safely be sent again. The next request gets a new session, and so a new connection.
  func refuse(_ exchange: URLSessionExchange) {
    exchange.end(
      .malformedResponse(
        reason: "URLSession showed no certificate to compare with the pinned keys; the request was sent"))
    for (key, session) in sessions where key.host == exchange.host?.key {
      session.finishTasksAndInvalidate()
      sessions[key] = nil
    }
  }

  private static func key(_ request: TransportRequest) -> String {
    let url = request.url
    return "\(request.delivery) \(url.scheme ?? "")://\(url.host() ?? ""):\(url.port ?? 0)"
  }
}
