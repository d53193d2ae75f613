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
  case stop
}

/// Work that the thread performs after releasing the core: everything that can run client code.
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
  private struct Inbox {
    var commands: [CurlCommand] = []
    /// Whether the thread sleeps, or is about to, and has not been woken up yet.
    var isAsleep = false
  }

  /// Only the thread takes the lock, once a turn.
  private let core: Lock<CurlCore>
  private let inbox = Lock(Inbox())
  private let poller: EventPoller

  init(_ settings: CurlSettings) throws(CurlTransport.SetupError) {
    let poller = try EventPoller()
    self.poller = poller
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
        inbox.isAsleep = inbox.commands.isEmpty
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
        isStopped = core.isStopped
      }
      batch.removeAll(keepingCapacity: true)
      for action in actions { action.perform() }
      actions.removeAll(keepingCapacity: true)
    }
  }
}
#endif
