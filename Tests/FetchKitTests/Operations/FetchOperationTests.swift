import FetchKit
import FetchKitTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(10))) struct FetchOperationTests {
  struct Broken: Error {}
  let server: LoopbackServer
  let client = FetchClient()
  let queue = OperationQueue()

  init() throws {
    server = try LoopbackServer()
    server.on("/movie/{id}") { .text("movie \($0.parameters["id"] ?? "")") }
    server.on("/latest", .text("275"))
  }

  @Test func `it ends with the value`() async throws {
    let operation = FetchOperation(client, server.url.appending(path: "movie/1"), .string)
    #expect(operation.result == nil)
    #expect(try await queue.value(of: operation) == "movie 1")
    #expect(try operation.result?.get() == "movie 1")
    #expect(operation.progress.fraction == 1)
  }

  @Test func `it ends with the error`() async throws {
    let operation = FetchOperation(client, server.url.appending(path: "nowhere"), .string)
    await queue.run(operation)
    guard case .failure(.status(let failure, _)) = operation.result else {
      Issue.record("\(String(describing: operation.result))")
      return
    }
    #expect(failure.status == 404)
  }

  @Test func `the bytes of a body that have been sent are its progress`() async throws {
    server.on(.post, "/upload", .status(204))
    let told = Events()
    let body = Data(repeating: 7, count: 300_000)
    var request = HTTPRequest(.post, server.url.appending(path: "upload"), body: RequestBody(.data(body)))
    request.options.uploadProgress = { _, _ in Task { await told.add() } }
    let operation = FetchOperation(client, request, .void)
    try await queue.value(of: operation)
    #expect(operation.progress == OperationProgress(completed: 300_000, total: 300_000))
    await told.wait(for: 1)
  }

  @Test func `a request can be made of what a dependency found`() async throws {
    let latest = FetchOperation(client, server.url.appending(path: "latest"), .string)
    let movie = FetchOperation(client, .string) { [server] () throws(FetchError) in
      guard let result = latest.result else { return HTTPRequest(.get, server.url) }
      return HTTPRequest(.get, server.url.appending(path: "movie/\(try result.get())"))
    }
    movie.addDependency(latest)
    queue.addOperation(latest)
    #expect(try await queue.value(of: movie) == "movie 275")
  }

  @Test func `a failure of the request's maker is the result, and nothing is sent`() async {
    let broken = FetchOperation(client, server.url.appending(path: "nowhere"), .string)
    let next = FetchOperation(client, .string) { () throws(FetchError) in
      HTTPRequest(.get, URL(filePath: try broken.result?.get() ?? ""))
    }
    next.addDependency(broken)
    queue.addOperations([broken, next])
    await next.ended()
    guard case .failure(.status) = next.result else {
      Issue.record("\(String(describing: next.result))")
      return
    }
    #expect(server.requests.count == 1)
  }

  @Test func `cancelling it reaches the request`() async throws {
    let gate = LoopbackGate()
    server.on("/held", .text("late").held(at: gate))
    let operation = FetchOperation(client, server.url.appending(path: "held"), .string)
    queue.addOperation(operation)
    await server.requests(atLeast: 1)
    operation.cancel()
    await operation.ended()
    guard case .failure(.cancelled) = operation.result else {
      Issue.record("\(String(describing: operation.result))")
      return
    }
    // The gate stays shut: only the client can have closed.
    await server.allConnectionsClosed()
  }

  @Test func `cancelling the waiting task cancels the fetch`() async throws {
    let gate = LoopbackGate()
    server.on("/held", .text("late").held(at: gate))
    let operation = FetchOperation(client, server.url.appending(path: "held"), .string)
    let task = Task { [queue] in try await queue.value(of: operation) }
    await server.requests(atLeast: 1)
    task.cancel()
    guard case .failure(FetchError.cancelled) = await task.result else {
      Issue.record("not cancelled")
      return
    }
    #expect(operation.isCancelled)
  }

  @Test func `cancelled before its start it sends nothing, and names its request without secrets`() async throws {
    queue.isSuspended = true
    let url = server.url.appending(path: "movie/1").appending(queryItems: [URLQueryItem(name: "mine", value: "s3cret")])
    let client = FetchClient { $0.redactedQueryItems = ["mine"] }
    let operation = FetchOperation(client, url, .string)
    queue.addOperation(operation)
    operation.cancel()
    queue.isSuspended = false
    await operation.ended()
    guard case .failure(let error) = operation.result, case .cancelled(let context) = error else {
      Issue.record("\(String(describing: operation.result))")
      return
    }
    #expect(context.url.contains("/movie/1?mine="))
    #expect(!context.url.contains("s3cret"))
    #expect(server.requests.isEmpty)
  }

  @Test func `a task's operation gives its value, its error, or its cancellation`() async throws {
    #expect(try await queue.value(of: TaskOperation { 7 }) == 7)
    await #expect(throws: Broken.self) { try await queue.value(of: TaskOperation<Int> { throw Broken() }) }
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
    let never = TaskOperation { Issue.record("it ran") }
    queue.addOperation(never)
    never.cancel()
    queue.isSuspended = false
    await #expect(throws: CancellationError.self) { try await never.value }
  }
}
