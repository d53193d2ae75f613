#if canImport(CLarderCurl)
internal import CLarderCurl
internal import Foundation
internal import Glibc

/// A message to the loop.
enum CurlCommand: Sendable {
  case start(CurlTransfer, CurlTransfer.Waiter)
  case cancel(CurlTransfer)
  case resume(CurlTransfer)
  case uploaded(CurlTransfer, Result<Data?, any Error>, generation: Int)
  case open(CurlSocket)
  /// Bytes of the socket can be sent or received.
  case flow(CurlSocket)
  case end(CurlSocket)
  case stop
}

/// Work that the thread performs after releasing the core: everything that can run client code.
enum CurlAction: Sendable {
  case respond(CurlTransfer.Waiter)
  case deliver(BodyChannel)
  case finish(BodyChannel, TransportError?)
  case read(CurlUploadPump.Demand)
  case endReading(CurlUploadPump)
  case progress(TransportRequest.UploadProgress, sent: Int64, total: Int64?)
  case perform(@Sendable () -> Void)

  func perform() {
    switch self {
    case .respond(let waiter): waiter.resume()
    case .deliver(let channel): channel.deliver()
    case .finish(let channel, let error): channel.finish(error)
    case .read(let demand): demand.pump.read(generation: demand.generation)
    case .endReading(let pump): pump.end()
    case .progress(let progress, let sent, let total): progress(sent, total)
    case .perform(let work): work()
    }
  }
}

/// The thread that drives a ``CurlCore``, and its entry points for other threads.
final class CurlLoop: Sendable {
  private struct Inbox {
    var commands: [CurlCommand] = []
    /// What runs on the thread after the actions of a turn.
    var jobs: [UnownedJob] = []
    var hasEnded = false
    /// Whether the thread sleeps, or is about to, and has not been woken up yet.
    var isAsleep = false
  }

  /// The thread takes the lock once a turn, and a caller that starts a transfer while the thread sleeps.
  private let core: Lock<CurlCore>
  private let inbox = Lock(Inbox())
  private let poller: EventPoller
  private let startsOnCaller: Bool
  let settings: CurlSettings

  init(_ settings: CurlSettings) throws(CurlTransport.SetupError) {
    poller = try EventPoller()
    self.settings = settings
    startsOnCaller = !settings.library.maySignal
    core = Lock(try CurlCore(settings, poller: poller))
    let thread = Thread { self.run() }
    thread.stackSize = 512 << 10
    thread.start()
  }

  /// Posts a message. This can be called under any lock that the loop never waits for, because it takes only the
  /// inbox's lock, for a moment.
  func post(_ command: CurlCommand) {
    let mustWakeUp = inbox.withLock { inbox in
      inbox.commands.append(command)
      defer { inbox.isAsleep = false }
      return inbox.isAsleep
    }
    if mustWakeUp { poller.wakeUp() }
  }

  /// Sends what the socket's writer has written, on the writer's thread if the loop's thread sleeps.
  func flow(_ socket: CurlSocket) {
    let mayCall = startsOnCaller && inbox.withLock { $0.isAsleep && $0.commands.isEmpty }
    if mayCall, core.withLockIfAvailable({ $0.sendAtOnce(socket) }) == true { return }
    post(.flow(socket))
  }

  /// Starts a transfer, on the calling thread if it is the only one and the loop's thread sleeps: waking it would take
  /// longer. When several run at once, the threads would wait for each other.
  ///
  /// Uploads start on the thread, because their files may be slow.
  func start(_ transfer: CurlTransfer, _ waiter: CurlTransfer.Waiter) {
    guard startsOnCaller, transfer.upload == nil, inbox.withLock({ $0.isAsleep && $0.commands.isEmpty }) else {
      return post(.start(transfer, waiter))
    }
    var actions: [CurlAction] = []
    let mustWakeUp = core.withLockIfAvailable { core -> Bool? in
      guard core.deadlines.isEmpty else { return nil }
      core.beginTurn()
      core.handle(.start(transfer, waiter))
      core.endTurn(&actions)
      return core.due < core.sleepsUntil
    }
    guard let mustWakeUp = mustWakeUp ?? nil else { return post(.start(transfer, waiter)) }
    if mustWakeUp { poller.wakeUp() }
    for action in actions { action.perform() }
  }

  func figures() -> [String: CurlTransport.ConnectionFigures] { core.withLock { $0.figures() } }

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
    var isStopped = false
    while !isStopped {
      let sleeps = inbox.withLock { inbox in
        inbox.isAsleep = inbox.commands.isEmpty && inbox.jobs.isEmpty
        return inbox.isAsleep
      }
      let count = poller.wait(into: &events, until: sleeps ? sleepsUntil : 0)
      core.withLock { core in
        core.beginTurn()
        for index in 0..<count {
          guard let event = poller.selection(for: events[index]), core.wants(event) else { continue }
          core.handle(event)
        }
        // Commands posted after this point are seen before the thread sleeps.
        inbox.withLock { inbox in
          swap(&inbox.commands, &batch)
          inbox.isAsleep = false
        }
        for command in batch { core.handle(command) }
        if core.isStopped { core.stop() }
        core.endTurn(&actions)
        sleepsUntil = core.due
        core.sleepsUntil = sleepsUntil
        isStopped = core.isStopped
      }
      batch.removeAll(keepingCapacity: true)
      for action in actions { action.perform() }
      actions.removeAll(keepingCapacity: true)
      runJobs(isStopped)
    }
  }

  private func runJobs(_ isLast: Bool) {
    while true {
      let jobs = inbox.withLock { inbox in
        if inbox.jobs.isEmpty { inbox.hasEnded = isLast }
        defer { inbox.jobs = [] }
        return inbox.jobs
      }
      if jobs.isEmpty { return }
      for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
  }
}

/// Runs the tasks that read from sockets on the thread on which the bytes arrive: to wake another one takes longer than
/// to read a message.
extension CurlLoop: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let (mustWakeUp, hasEnded) = inbox.withLock { inbox in
      guard !inbox.hasEnded else { return (false, true) }
      inbox.jobs.append(job)
      defer { inbox.isAsleep = false }
      return (inbox.isAsleep, false)
    }
    if mustWakeUp { poller.wakeUp() }
    if hasEnded { globalConcurrentExecutor.enqueue(job) }
  }
}
#endif
