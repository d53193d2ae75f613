internal import Foundation

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// The URL session, its delegate, and all of its exchanges.
///
/// Tasks are created, resumed, cancelled and completed only on `queue`. On Linux this is required: a cancel that
/// coincides with a redirect callback elsewhere ends the process, and a cancel from a task's cancellation handler
/// deadlocks.
///
/// `@unchecked Sendable`: the mutable members are used only in operations on `queue`, which runs one at a time and is
/// also the delegate queue of the sessions. `session` is set once, before anything is started.
final class URLSessionCore: NSObject, @unchecked Sendable {
  private struct Running {
    let exchange: URLSessionExchange
    let spooled: SpooledBody?
    let host: String
  }

  private struct Waiting {
    let exchange: URLSessionExchange
    let spooled: SpooledBody?
  }

  /// How many bytes of a body without a limit can wait for their reader, because URLSession cannot be paused.
  let mostWaitingBytes: Int
  private let queue = OperationQueue()
  private let configuration: URLSessionTransport.Configuration
  private let tasksPerHost: Int
  private var session: URLSession?
  #if canImport(FoundationNetworking)
  /// For requests that must not be repeated. The underlying libcurl sends any request again if its kept-alive
  /// connection dies; this session never keeps one alive. Created when first needed.
  private var unkeptSession: URLSession?
  #endif
  private var running: [ObjectIdentifier: Running] = [:]
  private var taskOfExchange: [ObjectIdentifier: URLSessionTask] = [:]
  private var runningPerHost: [String: Int] = [:]
  private var waitingPerHost: [String: [Waiting]] = [:]

  init(_ configuration: URLSessionTransport.Configuration, mostWaitingBytes: Int) {
    self.configuration = configuration
    tasksPerHost = max(1, configuration.connectionsPerHost)
    self.mostWaitingBytes = mostWaitingBytes
    super.init()
    queue.maxConcurrentOperationCount = 1
    queue.name = "larder.url-session"
    session = makeSession()
  }

  private func makeSession() -> URLSession {
    URLSession(configuration: settings, delegate: self, delegateQueue: queue)
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

  /// Seven days. Longer intervals, and infinity, trap on Linux.
  private static let never: TimeInterval = 604_800

  func start(_ exchange: URLSessionExchange, spooled: SpooledBody?) {
    queue.addOperation { [self] in
      let host = Self.key(exchange.request.url)
      guard runningPerHost[host, default: 0] < tasksPerHost else {
        waitingPerHost[host, default: []].append(Waiting(exchange: exchange, spooled: spooled))
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
        waitingPerHost[Self.key(exchange.request.url)]?.removeAll { $0.exchange === exchange }
        return
      }
      task.cancel()
      // Reading it waits for URLSession's own queue, so the cancel is complete before the next callback.
      _ = task.priority
    }
    stop.queuePriority = .veryHigh
    queue.addOperation(stop)
  }

  /// Invalidates the session once its tasks are done. Nothing can be started afterward.
  func invalidate() {
    queue.addOperation { [self] in
      session?.finishTasksAndInvalidate()
      session = nil
      #if canImport(FoundationNetworking)
      unkeptSession?.finishTasksAndInvalidate()
      unkeptSession = nil
      #endif
    }
  }

  private func begin(_ exchange: URLSessionExchange, _ spooled: SpooledBody?, _ host: String) {
    let request = exchange.request
    guard !exchange.hasEnded, let session = session(for: request) else { return }
    var urlRequest = URLRequest(
      url: request.url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: Self.never)
    urlRequest.httpMethod = request.method.rawValue
    for field in request.headers where !field.name.equalsIgnoringASCIICase("Content-Length") {
      urlRequest.addValue(field.value, forHTTPHeaderField: field.name)
    }
    #if canImport(FoundationNetworking)
    if !request.allowsResend { urlRequest.setValue("close", forHTTPHeaderField: "Connection") }
    #endif
    if request.delivery == .stream, request.headers["Accept-Encoding"] == nil {
      urlRequest.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
    }
    if !request.body.isEmpty, request.headers["Content-Type"] == nil {
      // Otherwise URLSession on Linux declares the body to be a form.
      urlRequest.setValue(request.body.contentType ?? "application/octet-stream", forHTTPHeaderField: "Content-Type")
    }
    let task: URLSessionTask
    switch (request.body.content, spooled) {
    case (_, let spooled?): task = session.uploadTask(with: urlRequest, fromFile: spooled.file)
    case (.file(let file), nil):
      // The file may have been removed since validation. On Linux, anything but a regular file would end the process.
      do { _ = try file.lengthOfRegularFile() } catch { return exchange.bodyFailed(error) }
      // For a symbolic link, URLSession on Linux would send as many bytes as the link itself has.
      task = session.uploadTask(with: urlRequest, fromFile: file.resolvingSymlinksInPath())
    case (.data(let data), nil):
      urlRequest.httpBody = data
      task = session.dataTask(with: urlRequest)
    case (.none, nil), (.stream, nil): task = session.dataTask(with: urlRequest)
    }
    running[ObjectIdentifier(task)] = Running(exchange: exchange, spooled: spooled, host: host)
    taskOfExchange[ObjectIdentifier(exchange)] = task
    runningPerHost[host, default: 0] += 1
    exchange.didStart()
    task.resume()
  }

  private func ended(_ task: URLSessionTask) -> Running? {
    guard let ended = running.removeValue(forKey: ObjectIdentifier(task)) else { return nil }
    taskOfExchange[ObjectIdentifier(ended.exchange)] = nil
    runningPerHost[ended.host, default: 1] -= 1
    while runningPerHost[ended.host, default: 0] < tasksPerHost, waitingPerHost[ended.host]?.isEmpty == false,
      let next = waitingPerHost[ended.host]?.removeFirst()
    {
      begin(next.exchange, next.spooled, ended.host)
    }
    if runningPerHost[ended.host] == 0 { runningPerHost[ended.host] = nil }
    if waitingPerHost[ended.host]?.isEmpty == true { waitingPerHost[ended.host] = nil }
    return ended
  }

  private func session(for request: TransportRequest) -> URLSession? {
    #if canImport(FoundationNetworking)
    guard !request.allowsResend, session != nil else { return session }
    let unkept = unkeptSession ?? makeSession()
    unkeptSession = unkept
    return unkept
    #else
    session
    #endif
  }

  private static func key(_ url: URL) -> String {
    "\(url.scheme ?? "")://\(url.host() ?? ""):\(url.port ?? 0)"
  }
}

extension URLSessionCore: URLSessionDataDelegate {
  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    // Linux announces interim responses too.
    if let response = response as? HTTPURLResponse, response.statusCode >= 200,
      let exchange = running[ObjectIdentifier(dataTask)]?.exchange
    {
      let isCompressed = response.value(forHTTPHeaderField: "Content-Encoding") != nil
      let isBodiless = exchange.request.method == .head || [204, 304].contains(response.statusCode)
      let length = response.expectedContentLength
      let announced = isCompressed || isBodiless || length < 0 ? nil : Int(clamping: length)
      exchange.received(ResponseHead(response), announced: announced)
    }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    running[ObjectIdentifier(dataTask)]?.exchange.received(data)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {
    guard let exchange = running[ObjectIdentifier(task)]?.exchange else { return }
    exchange.didMove()
    guard !exchange.hasEnded else { return }
    exchange.request.uploadProgress?(totalBytesSent, totalBytesExpectedToSend > 0 ? totalBytesExpectedToSend : nil)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
  ) {
    // On Linux, calling the handler for a task that has ended in the meantime ends the process.
    guard task.state == .running else { return }
    completionHandler(nil)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    #if canImport(FoundationNetworking)
    // Without an answer the task hangs indefinitely. When cancelled, it still has the response.
    running[ObjectIdentifier(task)]?.exchange.challenged()
    completionHandler(.cancelAuthenticationChallenge, nil)
    #else
    completionHandler(.performDefaultHandling, nil)
    #endif
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    guard let ended = ended(task) else { return }
    let head = (task.response as? HTTPURLResponse).flatMap { $0.statusCode >= 200 ? ResponseHead($0) : nil }
    let isSecure = ended.exchange.request.url.scheme?.lowercased() == "https"
    let failure = error.map { TransportError($0, hadResponse: head != nil, isSecure: isSecure) }
    ended.exchange.completed(failure, lastHead: head)
  }
}
