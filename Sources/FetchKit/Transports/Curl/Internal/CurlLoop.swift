#if os(Linux)
internal import CCurl
internal import Foundation
internal import Glibc

/// A message to the loop.
enum CurlCommand: Sendable {
  case start(CurlTransfer, CurlTransfer.Waiter)
  case cancel(CurlTransfer)
  case resume(CurlTransfer)
  case uploaded(CurlTransfer, Result<Data?, any Error>, generation: Int)
  /// What a caller waits for is the thread's from now on.
  case takeOver
  case stop
}

/// What the core wants done by whoever had it, after giving it back: everything that can run code of others.
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

/// The thread that drives a ``CurlCore``, and the ways in from other threads.
final class CurlLoop: Sendable {
  private struct Shared {
    var core: CurlCore
    /// When the thread wakes by itself.
    var sleepsUntil = Int.max

    /// Does the core's work on the thread of the transfer's caller.
    func turn(for transfer: CurlTransfer, _ work: (CurlCore) -> Void) -> CallersTurn {
      core.beginTurn()
      work(core)
      var turn = CallersTurn()
      core.endTurn(&turn.actions)
      turn.attended = core.attendedSocket(of: transfer)
      turn.mustWake = turn.attended == nil && core.due < sleepsUntil
      return turn
    }
  }

  /// What is left to do without the core.
  private struct CallersTurn {
    var actions: [CurlAction] = []
    var mustWake = false
    var attended: (socket: EventPoller.SocketEvent, until: Int)?
  }

  private struct Inbox {
    var commands: [CurlCommand] = []
    /// Whether the thread is, or is about to be, where only the bell wakes it, and nobody has rung yet.
    var isAsleep = false
    /// Whether the thread had several requests in flight in one of its last turns.
    var isBusy = false
  }

  /// After how many turns in a row with one request at most the next starts on its caller's thread again. Among many
  /// there are moments with none in flight, and who starts one there keeps the thread, which has more to do, from the
  /// core.
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

  /// Starts the transfer, here and now if nothing else is in flight, nor was in the last turns: the request is on its
  /// way before the thread would have woken. With others in flight the thread takes several at a time, which costs
  /// less.
  ///
  /// May wait for the answer, as ``CurlAttendance`` says.
  func start(_ transfer: CurlTransfer, _ waiter: CurlTransfer.Waiter) {
    // Progress is told in order, so by one thread.
    guard transfer.request.uploadProgress == nil, !transfer.isTLS || isSafeFromSIGPIPE,
      !inbox.withLock(\.isBusy), var turn = startHere(transfer, waiter)
    else { return post(.start(transfer, waiter)) }
    perform(turn)
    while let (socket, time) = turn.attended {
      let event = EventPoller.wait(for: socket, until: time)
      let next = shared.withLockIfAvailable { shared in
        guard shared.core.isAttended(transfer) else { return CallersTurn() }
        return shared.turn(for: transfer) { core in if let event { core.handle(event) } }
      }
      // Who has the core may have it for long.
      guard let next else { return post(.takeOver) }
      turn = next
      perform(turn)
    }
  }

  private func perform(_ turn: CallersTurn) {
    if turn.mustWake { wake() }
    for action in turn.actions { action.perform() }
  }

  private func startHere(_ transfer: CurlTransfer, _ waiter: CurlTransfer.Waiter) -> CallersTurn? {
    let turn = shared.withLockIfAvailable { shared -> CallersTurn? in
      guard shared.core.isIdle else { return nil }
      return shared.turn(for: transfer) { $0.startAlone(transfer, waiter) }
    }
    return turn ?? nil
  }

  /// Leaves a message. May be called under any lock that the loop never waits for: it takes only the inbox's, for a
  /// moment.
  func post(_ command: CurlCommand) {
    let mustRing = inbox.withLock { inbox in
      inbox.commands.append(command)
      defer { inbox.isAsleep = false }
      return inbox.isAsleep
    }
    if mustRing { wake() }
  }

  /// Makes the thread look when it has to wake next. That alone takes no request from the caller who waits for it: by
  /// the time the thread looks this may be another one than that which made it necessary.
  func wake() {
    poller.ring()
  }

  /// Ends what is in flight and lets the thread go.
  func stop() {
    post(.stop)
  }

  private func run() {
    Thread.current.name = "CurlTransport"  // set before the start it would not reach the system
    // On this thread a write to a closed connection is an error, not a signal, also where libcurl lets OpenSSL write.
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
        // A wake-up alone, or an event of a resting socket, leaves the caller waiting.
        var takesOver = core.workDue <= core.now
        for index in 0..<count {
          guard let event = poller.selection(for: events[index]), core.wants(event) else { continue }
          takesOver = true
          core.endAttendance()
          core.handle(event)
        }
        // What comes after this is seen before the thread sleeps.
        inbox.withLock { inbox in
          swap(&inbox.commands, &batch)
          inbox.isAsleep = false
        }
        if takesOver || !batch.isEmpty { core.endAttendance() }
        for command in batch { core.handle(command) }
        if core.isStopped { core.stop() }
        soloTurns = max(inFlight, core.count) > 1 ? 0 : soloTurns + 1
        core.endTurn(&actions)
        // Never later than planned before: one idle wake-up now and then costs less than having each request that is
        // started elsewhere ring because its deadline comes first.
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
