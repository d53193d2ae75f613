import FetchKit
import FetchKitTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(10))) struct CallbackTests {
  let server: LoopbackServer
  let client = FetchClient()

  init() throws {
    server = try LoopbackServer()
    server.on("/ok", .text("fine"))
  }

  @Test func `a success, a failure and an invalid URL each call back once`() async {
    let (values, continuation) = AsyncStream<Result<String, FetchError>>.makeStream()
    client.fetch(server.url.appending(path: "ok"), .string) { continuation.yield($0) }
    client.fetch(server.url.appending(path: "no"), .string) { continuation.yield($0) }
    client.fetch("no url", .string) { continuation.yield($0) }
    var results: [String] = []
    for await result in values {
      switch result {
      case .success(let text): results.append(text)
      case .failure(.status): results.append("status")
      case .failure(.invalidRequest): results.append("invalid")
      case .failure(let error): results.append("\(error)")
      }
      if results.count == 3 { break }
    }
    #expect(results.sorted() == ["fine", "invalid", "status"])
  }

  @Test func `after a cancel at any moment the callback receives only the cancellation`() async {
    for round in 0..<300 {
      let calls = Lock((count: 0, wasCancelled: false))
      let done = Events()
      let task = client.fetch(server.url.appending(path: "ok"), .string) { result in
        calls.withLock { calls in
          calls.count += 1
          if case .failure(.cancelled) = result { calls.wasCancelled = true }
        }
        Task { await done.add() }
      }
      for _ in 0..<(round % 30) { await Task.yield() }
      task.cancel()
      let wasInTime = task.isCancelled
      await done.wait(for: 1)
      let (count, wasCancelled) = calls.withLock { $0 }
      #expect(count == 1)
      #expect(wasCancelled == wasInTime)
    }
  }

  @Test @MainActor func `after a cancel a pending failure is not delivered either`() async {
    for _ in 0..<50 {
      let stub = StubTransport { _ throws(TransportError) in throw .connection(.refused, detail: "") }
      let client = FetchClient { $0.transport = stub }
      var results: [Result<String, FetchError>] = []
      let done = Events()
      let task = client.fetch("http://stub/x", .string) { @MainActor result in
        results.append(result)
        Task { await done.add() }
      }
      // This actor is held until the transport has the request, so the callback has to wait for the actor.
      while stub.requests.isEmpty, !Task.isCancelled { sched_yield() }
      #expect(!stub.requests.isEmpty)
      task.cancel()
      await done.wait(for: 1)
      guard case .failure(.cancelled)? = results.first, results.count == 1 else {
        Issue.record("\(results)")
        return
      }
    }
  }

  @MainActor final class Screen {
    var text = ""
    var shown = 0
    func show(_ result: Result<String, FetchError>) {
      shown += 1
      text = (try? result.get()) ?? "failed"
    }
  }

  @Test @MainActor func `a callback runs in the isolation it names`() async {
    let screen = Screen()
    await withCheckedContinuation { continuation in
      client.fetch(server.url.appending(path: "ok"), .string) { @MainActor [weak screen] result in
        MainActor.assertIsolated()
        screen?.show(result)
        continuation.resume()
      }
    }
    #expect(screen.text == "fine")
    #expect(screen.shown == 1)
  }

  @Test @MainActor func `a cancel after the result does not build the request again`() async {
    struct Counted: Endpoint {
      let baseURL: URL
      let bodies: Lock<Int>
      var body: RequestBody {
        bodies.withLock { $0 += 1 }
        return .none
      }
    }
    let isAnswering = DispatchSemaphore(value: 0)
    let stub = StubTransport { _ in
      isAnswering.signal()
      return .stub()
    }
    let client = FetchClient { $0.transport = stub }
    let endpoint = Counted(baseURL: server.url, bodies: Lock(0))
    let error: FetchError? = await withCheckedContinuation { continuation in
      let task = client.fetch(endpoint, .string) { @MainActor result in
        if case .failure(let error) = result {
          continuation.resume(returning: error)
        } else {
          continuation.resume(returning: nil)
        }
      }
      // The main actor is busy here, so the result has to wait for it.
      isAnswering.wait()
      task.cancel()
    }
    guard case .cancelled(let context) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(context.url == server.url.absoluteString)
    #expect(endpoint.bodies.withLock(\.self) == 1)
  }

  @Test @MainActor func `a cancel from the callback's actor overtakes a pending result`() async {
    let screen = Screen()
    var results: [Bool] = []
    for _ in 0..<50 {
      let isAnswering = DispatchSemaphore(value: 0)
      let stub = StubTransport { _ in
        isAnswering.signal()
        return .stub(body: Data("fine".utf8))
      }
      let client = FetchClient { $0.transport = stub }
      let wasCancelled: Bool = await withCheckedContinuation { continuation in
        let task = client.fetch(server.url, .string) { @MainActor result in
          if case .failure(.cancelled) = result {
            continuation.resume(returning: true)
          } else {
            screen.show(result)
            continuation.resume(returning: false)
          }
        }
        // The main actor is busy here, so the result has to wait for it, however far it has come.
        isAnswering.wait()
        task.cancel()
      }
      results.append(wasCancelled)
    }
    #expect(results.allSatisfy { $0 })
    #expect(screen.shown == 0)
  }

  @Test func `releasing the callback's task does not cancel the fetch`() async {
    let text: String? = await withCheckedContinuation { continuation in
      _ = client.fetch(server.url.appending(path: "ok"), .string) { continuation.resume(returning: try? $0.get()) }
    }
    #expect(text == "fine")
  }
}
