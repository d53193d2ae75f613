#if os(Linux)
import Dispatch
import FetchKitTesting
import Foundation
import Testing

@testable import FetchKit

/// Requests whose caller waits for the response itself, blocking for as long as the test takes. The caller therefore
/// has its own thread, because the server uses those of other tasks.
@Suite(.timeLimit(.minutes(2))) struct CallerWaitTests {
  let server: LoopbackServer
  let transport: CurlTransport
  let caller = CountingExecutor()

  init() async throws {
    server = try LoopbackServer()
    server.on("/", .text("x"))
    transport = try Self.transport(patience: 3_600_000_000_000)
    await expectAnswer()  // quick, as the first request
  }

  private static func transport(patience: Int) throws -> CurlTransport {
    var configuration = CurlTransport.Configuration()
    configuration.proxy = .none
    var settings = try CurlSettings(configuration, library: CurlLibrary.load())
    settings.patience = patience
    return try CurlTransport(settings)
  }

  private func expectAnswer(by other: CurlTransport? = nil) async {
    let transport = other ?? transport
    let url = server.url
    let outcome = await Task(executorPreference: caller) { await transport.outcome(of: url) }.value
    #expect(outcome == .response(200, "x"))
  }

  private func request(_ path: String, _ delivery: TransportRequest.Delivery = .whole) -> TransportRequest {
    TransportRequest(.get, server.url.appending(path: path), delivery: delivery)
  }

  /// Sends a request whose caller waits for the response, and returns when the request has reached the server.
  private func attend(_ request: TransportRequest, by other: CurlTransport? = nil) async -> Task<Outcome, Never> {
    let before = server.requests.count
    let transport = other ?? transport
    let task = Task(executorPreference: caller) { await transport.outcome(of: request) }
    await server.requests(atLeast: before + 1)
    return task
  }

  // q: the response is quick, s: it is slow; c: the caller waited for it, t: the thread did.
  @Test(arguments: [
    ("q", "t"), ("qqq", "tcc"), ("ssq", "ttt"), ("qsqqq", "tcttc"), ("qsqqsqqqqq", "tcttcttttc"),
    (String(repeating: "q", count: 36), "t" + String(repeating: "c", count: 32) + "tcc"),
  ])
  func `a caller waits for the response after quick ones, but only a limited number of times in a row`(
    answers: String, expected: String
  ) throws {
    let settings = try CurlSettings(CurlTransport.Configuration(), library: CurlLibrary.load())
    var callerWait = CallerWait(patience: 10)
    var now = 0
    var waited = ""
    for answer in answers {
      let transfer = try CurlTransfer(request(""), settings: settings)
      waited += callerWait.begin(transfer, at: now) ? "c" : "t"
      #expect(callerWait.isGiven(to: transfer) == (waited.last == "c"))
      now += answer == "q" ? 9 : 10
      if answer == "s" { callerWait.end() }
      callerWait.note(transfer, answeredAt: now)
      #expect(!callerWait.isGiven(to: transfer))
    }
    #expect(waited == expected)
  }

  @Test func `a waiting caller is rarely suspended, and its thread is free while it is suspended`() async throws {
    let url = server.url
    await Task(executorPreference: caller) { [transport, caller] in
      let before = caller.jobs
      for _ in 0..<32 { #expect(await transport.outcome(of: url) == .response(200, "x")) }
      // If the response arrives before the thread has handed the request over, the two may get in each other's way.
      #expect(caller.jobs - before < 8)
    }.value
    #expect(server.acceptedConnections == 1)
    let gate = LoopbackGate()
    server.on("/held", .text("late").held(at: gate))
    // A transport without patience: on a busy machine the count of waits in a row can have begun again.
    let held = await attend(request("held"), by: try Self.transport(patience: 0))
    await Task(executorPreference: caller) {}.value
    gate.open()
    #expect(await held.value == .response(200, "late"))
  }

  // If the thread took over, the caller would notice only when its timeout ends.
  @Test func `a wake-up for an earlier request does not make the thread take over from a waiting caller`() async throws
  {
    let transport = try Self.transport(patience: 5_000_000_000)
    await expectAnswer(by: transport)
    for _ in 0..<8 {
      let gate = LoopbackGate()
      server.on("/held", .text("late").held(at: gate))
      let held = await attend(request("held"), by: transport)
      for _ in 0..<20 {
        transport.loop.wake()
        await Task.yield()
      }
      let opened = ContinuousClock.now
      gate.open()
      #expect(await held.value == .response(200, "late"))
      try #require(opened.duration(to: .now) < .seconds(4))
    }
  }

  // The thread takes over immediately; the caller notices when its timeout ends, if not before.
  @Test func `another request makes the thread take over from a waiting caller`() async throws {
    let gate = LoopbackGate()
    server.on("/held", .text("late").held(at: gate))
    let transport = try Self.transport(patience: 500_000_000)
    await expectAnswer(by: transport)
    let held = await attend(request("held"), by: transport)
    #expect(await transport.outcome(of: server.url) == .response(200, "x"))
    gate.open()
    #expect(await held.value == .response(200, "late"))
  }

  @Test func `a request whose caller waits can be cancelled`() async throws {
    let gate = LoopbackGate()
    server.on("/held", .text("late").held(at: gate))
    let transport = try Self.transport(patience: 500_000_000)
    await expectAnswer(by: transport)
    let held = await attend(request("held"), by: transport)
    held.cancel()
    #expect(await held.value == .failed("cancelled"))
    gate.open()
    await expectAnswer(by: transport)
  }

  // A caller that waited is not suspended. It may be in a single round: when it has waited often enough in a row, or
  // when the connection ends before the thread has handed the request over.
  @Test func `the end of an idle connection does not make the thread take over from a waiting caller`() async throws {
    var suspensions: [Int] = []
    while suspensions.last != 0, suspensions.count < 4 {
      suspensions.append(try await suspensionsWhileAnIdleConnectionEnds())
    }
    #expect(suspensions.last == 0, "\(suspensions)")
  }

  private func suspensionsWhileAnIdleConnectionEnds() async throws -> Int {
    let gate = LoopbackGate()
    server.on("/held", .text("late").held(at: gate))
    let other = try LoopbackServer()
    other.on("/", .text("y"))
    // Next to a request that is the thread's from the start, so that the thread watches its connection.
    var watched = request("held")
    watched.uploadProgress = { _, _ in }
    let before = server.requests.count
    let first = Task { [watched] in await transport.outcome(of: watched) }
    await server.requests(atLeast: before + 1)
    #expect(await transport.outcome(of: other.url) == .response(200, "y"))
    gate.open()
    #expect(await first.value == .response(200, "late"))
    for _ in 0..<40 { await expectAnswer() }  // until callers start their requests again
    let nextGate = LoopbackGate()
    server.on("/held", .text("later").held(at: nextGate))
    let held = await attend(request("held"))
    let jobs = caller.jobs
    other.stop()
    await other.allConnectionsClosed()
    nextGate.open()
    #expect(await held.value == .response(200, "later"))
    return caller.jobs - jobs
  }

  @Test func `the thread takes over when the waiting caller's timeout ends`() async throws {
    let gate = LoopbackGate()
    server.on("/held", .text("late").held(at: gate))
    let transport = try Self.transport(patience: 50_000_000)
    await expectAnswer(by: transport)
    let held = await attend(request("held"), by: transport)
    await Task(executorPreference: caller) {}.value  // on the thread that a waiting caller would block
    gate.open()
    #expect(await held.value == .response(200, "late"))
  }

  @Test(arguments: [TransportRequest.Delivery.whole, .stream])
  func `a request whose caller waits keeps its timeouts`(_ delivery: TransportRequest.Delivery) async throws {
    let gate = LoopbackGate()
    server.on("/held", .text("late").held(at: gate))
    for (timeouts, expected) in [
      (Timeouts(connect: nil, idle: nil, total: .milliseconds(40)), "total timeout"),
      (Timeouts(connect: nil, idle: .milliseconds(40), total: nil), "idle timeout"),
    ] {
      await expectAnswer()
      var request = request("held", delivery)
      request.timeouts = timeouts
      #expect(await attend(request).value == .failed(expected))
    }
    gate.open()
  }

  @Test func `the thread drives a stream after its head, even if the caller waited for the head`() async throws {
    let gate = LoopbackGate()
    let text = String(repeating: "0123456789", count: 30_000)
    server.on("/long", .text(text).held(at: gate, after: .body(bytes: 5)))
    let body = try await Task(executorPreference: caller) { [transport] in
      try await transport.send(request("long", .stream)).body
    }.value
    gate.open()
    #expect(try await body.collect(upTo: .max) == Data(text.utf8))
  }

  @Test func `a connection that dies while its caller waits is an error`() async throws {
    server.on("/cut", .text("hello").cut(after: .body(bytes: 2)))
    #expect(await attend(request("cut")).value == .failed("lost"))
    await expectAnswer()
  }

  @Test func `a connection that died before the request is replaced`() async throws {
    server.on("/last", .text("x").closing())
    for _ in 0..<5 {
      #expect(await attend(request("last")).value == .response(200, "x"))
    }
  }

  @Test func `many concurrent waiting callers each receive their own response`() async throws {
    server.on("/{n}") { .text($0.parameters["n"] ?? "") }
    let callers = CountingExecutor(attributes: .concurrent)
    await withTaskGroup { group in
      for lane in 0..<8 {
        group.addTask(executorPreference: callers) { [transport, server] in
          for number in 0..<100 {
            let url = server.url.appending(path: "\(lane)-\(number)")
            #expect(await transport.outcome(of: url) == .response(200, "\(lane)-\(number)"))
          }
        }
      }
    }
  }
}

/// One or several threads for tasks; counts the jobs they are given.
final class CountingExecutor: TaskExecutor {
  private let queue: DispatchQueue
  private let count = Lock(0)

  init(attributes: DispatchQueue.Attributes = []) {
    queue = DispatchQueue(label: "callers", attributes: attributes)
  }

  var jobs: Int { count.withLock { $0 } }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    count.withLock { $0 += 1 }
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
#endif
