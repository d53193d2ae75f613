/// Decides which requests run and which wait. A pure state machine over tickets.
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

    mutating func admit(upTo limit: Int) -> Bool {
      guard running < limit else { return false }
      running += 1
      return true
    }
  }

  private static let oldestFirstInterval = 4

  private let limits: ConcurrencyLimits
  private var hosts: [String: Host] = [:]
  private var waiting: [Ticket: String] = [:]
  private var hostsWithWaiting: Set<String> = []
  private(set) var running = 0
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
    if running < limits.total, hosts[host, default: Host()].admit(upTo: limits.perHost) {
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

  /// Ends an admitted request. Returns the ticket that runs next.
  mutating func release(_ host: String) -> Ticket? {
    running -= 1
    if let place = hosts.index(forKey: host) {
      hosts.values[place].running -= 1
      if hosts.values[place].isIdle { hosts.remove(at: place) }
    }
    return admitNext()
  }

  private mutating func admitNext() -> Ticket? {
    guard running < limits.total else { return nil }
    turns += 1
    let prefersAge = turns.isMultiple(of: Self.oldestFirstInterval)
    var best: (host: String, waiter: Waiter)?
    for host in hostsWithWaiting where hosts[host, default: Host()].running < limits.perHost {
      for priority in RequestPriority.allCases {
        guard let ticket = first(host, priority) else { continue }
        let waiter = Waiter(ticket: ticket, priority: priority)
        if let best, !Self.precedes(waiter, best.waiter, prefersAge) { continue }
        best = (host, waiter)
      }
    }
    guard let (host, waiter) = best else { return nil }
    _ = hosts[host]?.queues[waiter.priority]?.popFirst()
    waiting[waiter.ticket] = nil
    leave(host)
    running += 1
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
