#if os(Linux)
internal import CLarderCurl
internal import Foundation
internal import Glibc

/// A message to the loop.
enum CurlCommand: Sendable {
  case start(CurlTransfer, CurlTransfer.Waiter)
  case cancel(CurlTransfer)
  case resume(CurlTransfer)
  case uploaded(CurlTransfer, Result<Data?, any Error>, generation: Int)
  /// Makes the thread responsible for a request that a caller is waiting for.
  case takeOver
  case stop
}

/// Work that the thread using the core performs after releasing it: everything that can run client code.
enum CurlAction: Sendable {
  case respond(CurlTransfer.Waiter)
  case wake(CurlStream)
  case end(CurlStream, TransportError?)
  case read(CurlUploadPump.Demand)
  case endReading(CurlUploadPump)
  case progress(TransportRequest.UploadProgress, sent: Int64, total: Int64?)

  func perform() {
    switch self {
    case .respond(let waiter): waiter.resume()
    case .wake(let stream): stream.wake()
    case .end(let stream, let error): stream.end(with: error)
    case .read(let demand): demand.pump.read(generation: demand.generation)
    case .endReading(let pump): pump.end()
    case .progress(let progress, let sent, let total): progress(sent, total)
    }
  }
}

/// The thread that drives a ``CurlCore``, and its entry points for other threads.
final class CurlLoop: Sendable {
  private struct Shared {
    var core: CurlCore
    /// When the thread wakes without an event.
    var sleepsUntil = Int.max

    /// Does the core's work on the thread of the transfer's caller.
    func turn(for transfer: CurlTransfer, _ work: (CurlCore) -> Void) -> CallerTurn {
      core.beginTurn()
      work(core)
      var turn = CallerTurn()
      core.endTurn(&turn.actions)
      turn.attended = core.callerSocket(of: transfer)
      turn.mustWake = turn.attended == nil && core.due < sleepsUntil
      return turn
    }
  }

  /// What remains to be done without the core.
  private struct CallerTurn {
    var actions: [CurlAction] = []
    var mustWake = false
    var attended: (socket: EventPoller.SocketEvent, until: Int)?
  }

  private struct Inbox {
    var commands: [CurlCommand] = []
    /// Whether only `wake()` can wake the thread, now or in a moment, and it has not been called yet.
    var isAsleep = false
    /// Whether the thread had several requests in flight in one of its recent turns.
    var isBusy = false
  }

  /// The number of consecutive turns with at most one request before a request starts on its caller's thread again.
  /// Under load there are moments with nothing in flight. A request started on its caller's thread in such a moment
  /// would keep the busy thread from the core.
  private static let soloTurnsWanted = 32

  private let shared: Lock<Shared>
  private let inbox = Lock(Inbox())
  private let poller: EventPoller
  private let isSafeFromSIGPIPE: Bool

  init(_ settings: CurlSettings) throws(CurlTransport.SetupError) {
    let poller = try EventPoller()
    self.poller = poller
    isSafeFromSIGPIPE = settings.library.isSafeFromSIGPIPE
    shared = Lock(Shared(core: try CurlCore(settings, poller: poller)))
    let thread = Thread { self.run() }
    thread.stackSize = 512 << 10
    thread.start()
  }

  /// Starts the transfer. It starts on this thread if nothing is in flight and nothing was in the recent turns: the
  /// request is then sent before the thread would have woken. With other requests in flight, the thread handles several
  /// at a time, which costs less.
  ///
  /// This call may wait for the response; see ``CallerWait``.
  func start(_ transfer: CurlTransfer, _ waiter: CurlTransfer.Waiter) {
    // Progress is reported in order, and therefore from one thread.
    guard transfer.request.uploadProgress == nil, !transfer.isTLS || isSafeFromSIGPIPE,
      !inbox.withLock(\.isBusy), var turn = startHere(transfer, waiter)
    else { return post(.start(transfer, waiter)) }
    perform(turn)
    while let (socket, time) = turn.attended {
      let event = EventPoller.wait(for: socket, until: time)
      let next = shared.withLockIfAvailable { shared in
        guard shared.core.isCallerWaiting(transfer) else { return CallerTurn() }
        return shared.turn(for: transfer) { core in if let event { core.handle(event) } }
      }
      // Another thread may use the core for a long time.
      guard let next else { return post(.takeOver) }
      turn = next
      perform(turn)
    }
  }

  private func perform(_ turn: CallerTurn) {
    if turn.mustWake { wake() }
    for action in turn.actions { action.perform() }
  }

  private func startHere(_ transfer: CurlTransfer, _ waiter: CurlTransfer.Waiter) -> CallerTurn? {
    let turn = shared.withLockIfAvailable { shared -> CallerTurn? in
      guard shared.core.isIdle else { return nil }
      return shared.turn(for: transfer) { $0.startAlone(transfer, waiter) }
    }
    return turn ?? nil
  }

  /// Posts a message. This can be called under any lock that the loop never waits for, because it takes only the
  /// inbox's lock, for a moment.
  func post(_ command: CurlCommand) {
    let mustRing = inbox.withLock { inbox in
      inbox.commands.append(command)
      defer { inbox.isAsleep = false }
      return inbox.isAsleep
    }
    if mustRing { wake() }
  }

  /// Makes the thread check when it has to wake next. This alone does not take a request away from the caller that
  /// waits for it: by the time the thread checks, a different request may be current.
  func wake() {
    poller.ring()
  }

  /// Ends all transfers and the thread.
  func stop() {
    post(.stop)
  }

  private func run() {
    Thread.current.name = "CurlTransport"  // set before start, it would not reach the system
    // On this thread a write to a closed connection is an error instead of a signal, even if libcurl lets OpenSSL
    // write.
    var pipe = sigset_t()
    sigemptyset(&pipe)
    sigaddset(&pipe, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &pipe, nil)
    var events = [epoll_event](repeating: epoll_event(), count: 256)
    var batch: [CurlCommand] = []
    var actions: [CurlAction] = []
    var sleepsUntil = Int.max
    var soloTurns = Self.soloTurnsWanted
    var isStopped = false
    while !isStopped {
      let sleeps = inbox.withLock { inbox in
        inbox.isBusy = soloTurns < Self.soloTurnsWanted
        inbox.isAsleep = inbox.commands.isEmpty
        return inbox.isAsleep
      }
      let count = poller.wait(into: &events, until: sleeps ? sleepsUntil : 0)
      shared.withLock { shared in
        let core = shared.core
        let inFlight = core.count
        core.beginTurn()
        // A wake-up alone, or an event of an idle socket, does not interrupt a waiting caller.
        var takesOver = core.workDue <= core.now
        for index in 0..<count {
          guard let event = poller.selection(for: events[index]), core.wants(event) else { continue }
          takesOver = true
          core.endCallerWait()
          core.handle(event)
        }
        // Commands posted after this point are seen before the thread sleeps.
        inbox.withLock { inbox in
          swap(&inbox.commands, &batch)
          inbox.isAsleep = false
        }
        if takesOver || !batch.isEmpty { core.endCallerWait() }
        for command in batch { core.handle(command) }
        if core.isStopped { core.stop() }
        soloTurns = max(inFlight, core.count) > 1 ? 0 : soloTurns + 1
        core.endTurn(&actions)
        // Never later than planned before: an occasional idle wake-up costs less than a wake-up call by every request
        // that starts on another thread because its deadline comes first.
        let planned = shared.sleepsUntil > core.now ? shared.sleepsUntil : .max
        shared.sleepsUntil = min(core.due, planned)
        sleepsUntil = shared.sleepsUntil
        isStopped = core.isStopped
      }
      batch.removeAll(keepingCapacity: true)
      for action in actions { action.perform() }
      actions.removeAll(keepingCapacity: true)
    }
  }
}
#endif
