/// Decides which requests run and which wait. A pure state machine over tickets.
///
/// The limits are for connections. Beyond `perHost`, requests to a host that multiplexes share the connections of the
/// others, so they do not count toward the total.
struct ConcurrencyLimiterState {
  typealias Ticket = Int

  private struct Waiter {
    var ticket: Ticket
    var priority: RequestPriority
  }

  /// The queues of a host. Tickets that no longer wait are skipped when their turn comes.
  private struct Host {
    var running = 0
    var queues: [RequestPriority: FIFO<Ticket>] = [:]
    var waiting = 0

    var isIdle: Bool { running == 0 && waiting == 0 }

    mutating func admit(after count: Int = 0, upTo limit: Int) -> Bool {
      guard running >= count, running < limit else { return false }
      running += 1
      return true
    }
  }

  private static let oldestFirstInterval = 4
  private static let mostMultiplexing = 1000

  private let limits: ConcurrencyLimits
  private var hosts: [String: Host] = [:]
  private var waiting: [Ticket: String] = [:]
  private var hostsWithWaiting: Set<String> = []
  /// The hosts whose last response came over a connection for many requests.
  private var multiplexing = LRU<String, Void>(limit: mostMultiplexing)
  private(set) var running = 0
  /// The running requests that count toward the total.
  private var counted = 0
  private var nextTicket = 0
  private var turns = 0

  init(_ limits: ConcurrencyLimits) {
    self.limits = limits
  }

  var waitingCount: Int { waiting.count }

  /// Returns a ticket and whether it can run immediately.
  mutating func request(_ host: String, _ priority: RequestPriority) -> (Ticket, isAdmitted: Bool) {
    nextTicket += 1
    // A request that still waits for this host cannot run, so none is overtaken here.
    if counted < limits.total, hosts[host, default: Host()].admit(upTo: limits.perHost) {
      running += 1
      counted += 1
      return (nextTicket, true)
    }
    if multiplexing.peek(host) != nil,
      hosts[host]?.admit(after: limits.perHost, upTo: limits.perHostOverHTTP2) == true
    {
      running += 1
      return (nextTicket, true)
    }
    hosts[host, default: Host()].queues[priority, default: FIFO()].append(nextTicket)
    hosts[host]?.waiting += 1
    hostsWithWaiting.insert(host)
    waiting[nextTicket] = host
    return (nextTicket, false)
  }

  /// Withdraws a waiting ticket. Returns false if it was admitted in the meantime.
  mutating func withdraw(_ ticket: Ticket) -> Bool {
    guard let host = waiting.removeValue(forKey: ticket) else { return false }
    leave(host)
    return true
  }

  /// Ends an admitted request. Returns the tickets that run next.
  ///
  /// - Parameter multiplexes: Whether the response came over a connection for many requests; nil if there was no
  ///   response, or if that is unknown.
  mutating func release(_ host: String, multiplexes: Bool? = nil) -> [Ticket] {
    running -= 1
    if let index = hosts.index(forKey: host) {
      hosts.values[index].running -= 1
      if hosts.values[index].running < limits.perHost { counted -= 1 }
      if hosts.values[index].isIdle { hosts.remove(at: index) }
    }
    switch multiplexes {
    case true? where multiplexing.use(host) == nil: multiplexing.set(host, (), cost: 1)
    case false?: multiplexing.remove(host)
    default: break
    }
    var admitted: [Ticket] = []
    while let ticket = admitNext() { admitted.append(ticket) }
    return admitted
  }

  private func canAdmit(_ host: String) -> Bool {
    let running = hosts[host]?.running ?? 0
    if running < limits.perHost { return counted < limits.total }
    return running < limits.perHostOverHTTP2 && multiplexing.peek(host) != nil
  }

  private mutating func admitNext() -> Ticket? {
    guard counted < limits.total || multiplexing.count > 0 else { return nil }
    let prefersAge = (turns + 1).isMultiple(of: Self.oldestFirstInterval)
    var best: (host: String, waiter: Waiter)?
    for host in hostsWithWaiting where canAdmit(host) {
      for priority in RequestPriority.allCases {
        guard let ticket = first(host, priority) else { continue }
        let waiter = Waiter(ticket: ticket, priority: priority)
        if let best, !Self.precedes(waiter, best.waiter, prefersAge) { continue }
        best = (host, waiter)
      }
    }
    guard let (host, waiter) = best else { return nil }
    turns += 1
    _ = hosts[host]?.queues[waiter.priority]?.popFirst()
    waiting[waiter.ticket] = nil
    leave(host)
    running += 1
    if hosts[host, default: Host()].running < limits.perHost { counted += 1 }
    hosts[host, default: Host()].running += 1
    return waiter.ticket
  }

  private static func precedes(_ left: Waiter, _ right: Waiter, _ prefersAge: Bool) -> Bool {
    if !prefersAge, left.priority != right.priority { return left.priority > right.priority }
    return left.ticket < right.ticket
  }

  private mutating func first(_ host: String, _ priority: RequestPriority) -> Ticket? {
    while let ticket = hosts[host]?.queues[priority]?.first {
      if waiting[ticket] != nil { return ticket }
      _ = hosts[host]?.queues[priority]?.popFirst()
    }
    return nil
  }

  private mutating func leave(_ host: String) {
    hosts[host]?.waiting -= 1
    if hosts[host]?.waiting == 0 {
      hostsWithWaiting.remove(host)
      hosts[host]?.queues = [:]
    }
    if hosts[host]?.isIdle == true { hosts[host] = nil }
  }
}
