#if canImport(CLarderCurl)
/// The servers of the requests in flight that offer HTTP/2, and the requests that can try again to get a connection.
struct CurlOrigins {
  /// How long a connection can take to open before another one is allowed, in nanoseconds.
  private let openingTimeout: Int
  private var byName: [String: CurlOrigin] = [:]
  /// Origins with requests that waited for a connection and can try again.
  private var readyOrigins: [CurlOrigin] = []
  /// Single requests that can try again.
  private var readyTransfers: [CurlTransfer] = []
  /// Servers that have required HTTP/1.1. They are few; beyond the limit, they say so again.
  private var http1: Set<String> = []
  private static let mostHTTP1 = 1000
  /// When the first connection that others wait for will have taken too long.
  private var timeoutDue = Int.max

  init(openingTimeout: Int) {
    self.openingTimeout = openingTimeout
  }

  /// When there is work to do.
  var due: Int { readyTransfers.isEmpty && readyOrigins.isEmpty ? timeoutDue : 0 }

  mutating func requireHTTP1(_ name: String) {
    if http1.count >= Self.mostHTTP1 { http1 = [] }
    http1.insert(name)
  }

  func requiresHTTP1(_ name: String) -> Bool { !http1.isEmpty && http1.contains(name) }

  mutating func join(_ transfer: CurlTransfer) {
    let origin = byName[transfer.originName] ?? CurlOrigin(transfer.originName)
    byName[transfer.originName] = origin
    transfer.origin = origin
    origin.join()
  }

  mutating func leave(_ transfer: CurlTransfer, isFailure: Bool) {
    guard let origin = transfer.origin else { return }
    noteConnection(of: transfer, isFailure: isFailure)
    transfer.origin = nil
    if let next = origin.leave() { readyTransfers.append(next) }
    if origin.count == 0 { byName[origin.name] = nil }
  }

  /// Records that the request's connection is ready, or that it will not get one.
  mutating func noteConnection(of transfer: CurlTransfer, isFailure: Bool = false) {
    if let origin = transfer.origin, origin.endOpening(for: transfer, isFailure: isFailure) {
      readyOrigins.append(origin)
    }
  }

  /// Makes a request wait for which no connection can be opened.
  mutating func wait(_ transfer: CurlTransfer) {
    if let origin = transfer.origin, origin.wait(transfer), let since = origin.openingSince {
      timeoutDue = min(timeoutDue, since + openingTimeout)
    } else {
      readyTransfers.append(transfer)
    }
  }

  /// The requests that try again now.
  mutating func next(at now: Int) -> [CurlTransfer] {
    if timeoutDue <= now { endTimeout(at: now) }
    guard !readyTransfers.isEmpty || !readyOrigins.isEmpty else { return [] }
    let next = readyTransfers.filter { $0.state.isRunning } + readyOrigins.flatMap { $0.next() }
    readyTransfers = []
    readyOrigins.removeAll { !$0.hasRoom }
    return next
  }

  private mutating func endTimeout(at now: Int) {
    timeoutDue = .max
    for origin in byName.values where origin.hasWaiting {
      guard let since = origin.openingSince else { continue }
      if since + openingTimeout <= now {
        origin.stopWaiting()
        readyOrigins.append(origin)
      } else {
        timeoutDue = min(timeoutDue, since + openingTimeout)
      }
    }
  }
}
#endif
