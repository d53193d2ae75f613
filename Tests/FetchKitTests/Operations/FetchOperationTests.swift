import FetchKit
import FetchKitTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(10))) struct FetchOperationTests {
  struct TestError: Error {}
  let server: LoopbackServer
  let client = FetchClient()
  let queue = OperationQueue()

  init() throws {
    server = try LoopbackServer()
    server.on("/movie/{id}") { .text("movie \($0.parameters["id"] ?? "")") }
    server.on("/latest", .text("275"))
  }

  @Test func `a fetch operation ends with the fetched value`() async throws {
    let operation = FetchOperation(client, server.url.appending(path: "movie/1"), .string)
    #expect(operation.result == nil)
    #expect(try await queue.value(of: operation) == "movie 1")
    #expect(try operation.result?.get() == "movie 1")
    #expect(operation.progress.fraction == 1)
  }

  @Test func `a fetch operation ends with the fetch's error`() async throws {
    let operation = FetchOperation(client, server.url.appending(path: "nowhere"), .string)
    await queue.run(operation)
    guard case .failure(.status(let failure, _)) = operation.result else {
      Issue.record("\(String(describing: operation.result))")
      return
    }
    #expect(failure.status == 404)
  }

  @Test func `a fetch operation's progress is the number of body bytes sent`() async throws {
    server.on(.post, "/upload", .status(204))
    let reported = Events()
    let body = Data(repeating: 7, count: 300_000)
    var request = HTTPRequest(.post, server.url.appending(path: "upload"), body: RequestBody(.data(body)))
    request.options.uploadProgress = { _, _ in Task { await reported.add() } }
    let operation = FetchOperation(client, request, .void)
    try await queue.value(of: operation)
    #expect(operation.progress == OperationProgress(completed: 300_000, total: 300_000))
    await reported.wait(for: 1)
  }

  @Test func `a fetch operation can build its request from a dependency's result`() async throws {
    let latest = FetchOperation(client, server.url.appending(path: "latest"), .string)
    let movie = FetchOperation(client, .string) { [server] () throws(FetchError) in
      guard let result = latest.result else { return HTTPRequest(.get, server.url) }
      return HTTPRequest(.get, server.url.appending(path: "movie/\(try result.get())"))
    }
    movie.addDependency(latest)
    queue.addOperation(latest)
    #expect(try await queue.value(of: movie) == "movie 275")
  }

  @Test func `an error while building the request is the operation's result, and nothing is sent`() async {
    let broken = FetchOperation(client, server.url.appending(path: "nowhere"), .string)
    let next = FetchOperation(client, .string) { () throws(FetchError) in
      HTTPRequest(.get, URL(filePath: try broken.result?.get() ?? ""))
    }
    next.addDependency(broken)
    queue.addOperations([broken, next])
    await next.waitForCompletion()
    guard case .failure(.status) = next.result else {
      Issue.record("\(String(describing: next.result))")
      return
    }
    #expect(server.requests.count == 1)
  }

  @Test func `cancelling a fetch operation cancels its request`() async throws {
    let gate = LoopbackGate()
    server.on("/held", .text("late").held(at: gate))
    let operation = FetchOperation(client, server.url.appending(path: "held"), .string)
    queue.addOperation(operation)
    await server.requests(atLeast: 1)
    operation.cancel()
    await operation.waitForCompletion()
    guard case .failure(.cancelled) = operation.result else {
      Issue.record("\(String(describing: operation.result))")
      return
    }
    // The gate stays closed: only the client can have closed the connection.
    await server.allConnectionsClosed()
  }

  @Test func `cancelling the task that waits for a fetch operation cancels the fetch`() async throws {
    let gate = LoopbackGate()
    server.on("/held", .text("late").held(at: gate))
    let operation = FetchOperation(client, server.url.appending(path: "held"), .string)
    let task = Task { [queue] in try await queue.value(of: operation) }
    await server.requests(atLeast: 1)
    task.cancel()
    guard case .failure(FetchError.cancelled) = await task.result else {
      Issue.record("the wait was not cancelled")
      return
    }
    #expect(operation.isCancelled)
  }

  @Test func `a fetch operation cancelled before its start sends nothing and shows no secrets`() async throws {
    queue.isSuspended = true
    let url = server.url.appending(path: "movie/1").appending(queryItems: [URLQueryItem(name: "mine", value: "s3cret")])
    let client = FetchClient { $0.redactedQueryItems = ["mine"] }
    let operation = FetchOperation(client, url, .string)
    queue.addOperation(operation)
    operation.cancel()
    queue.isSuspended = false
    await operation.waitForCompletion()
    guard case .failure(let error) = operation.result, case .cancelled(let context) = error else {
      Issue.record("\(String(describing: operation.result))")
      return
    }
    #expect(context.url.contains("/movie/1?mine="))
    #expect(!context.url.contains("s3cret"))
    #expect(server.requests.isEmpty)
  }

  @Test func `a task operation ends with its value, its error or its cancellation`() async throws {
    #expect(try await queue.value(of: TaskOperation { 7 }) == 7)
    await #expect(throws: TestError.self) { try await queue.value(of: TaskOperation<Int> { throw TestError() }) }
    let began = Events()
    let endless = TaskOperation {
      await began.add()
      try await Task.sleep(for: .seconds(3600))
    }
    queue.addOperation(endless)
    await began.wait(for: 1)
    endless.cancel()
    await #expect(throws: CancellationError.self) { try await endless.value }
    queue.isSuspended = true
    let never = TaskOperation { Issue.record("a cancelled operation ran") }
    queue.addOperation(never)
    never.cancel()
    queue.isSuspended = false
    await #expect(throws: CancellationError.self) { try await never.value }
  }
}
