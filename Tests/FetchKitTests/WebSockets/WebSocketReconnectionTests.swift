import FetchKitTesting
import Foundation
import LarderTestSupport
import Testing

@testable import FetchKit

/// What a reader gets when connections are lost.
@Suite(.timeLimit(.minutes(2))) struct WebSocketReconnectionTests {
  private let server: LoopbackServer
  private let client: FetchClient

  init() throws {
    server = try LoopbackServer()
    let transport = try CurlTransport { $0.proxy = .none }
    client = FetchClient {
      $0.transport = transport
      $0.random = { 0 }  // no delays
    }
  }

  private var url: String { "ws://127.0.0.1:\(server.port)/feed" }

  /// A feed of numbers that resumes after the number that the client names, or not.
  private func serve(cutEvery count: Int, upTo last: Int, resumes: Bool) {
    let next = Lock(0)
    server.on("/feed") { _ in
      .webSocket { socket in
        let first = try await socket.receive()
        if resumes, case .text(let text)? = first, let after = Int(text) { next.withLock { $0 = after + 1 } }
        socket.send(resumes ? "resumed" : "welcome")
        for _ in 0..<count {
          let number = next.withLock { number in
            defer { number += 1 }
            return number
          }
          guard number <= last else { return }
          socket.send(.text("\(number)"))
        }
        struct Cut: Error {}
        throw Cut()
      }
    }
  }

  /// Serves connections, which are numbered from 1.
  private func serve(_ handler: @escaping @Sendable (_ number: Int, LoopbackSocket) async throws -> Void) {
    let connections = Lock(0)
    server.on("/feed") { _ in
      let number = connections.withLock { count in
        count += 1
        return count
      }
      return .webSocket { try await handler(number, $0) }
    }
  }

  private func socket(resumes: Bool) -> WebSocket {
    client.webSocket(url) {
      $0.resume = { link, last in
        try await link.send(last ?? "-")
        let answer = try await link.receive { $0 == "resumed" || $0 == "welcome" }
        return answer == "resumed" ? .resumed : .gap
      }
    }
  }

  @Test func `a server that resumes is read without a gap across many cuts`() async throws {
    serve(cutEvery: 7, upTo: 100, resumes: true)
    let events = try await socket(resumes: true).reduce(into: []) { $0.append($1) }
    #expect(events == (0...100).map { .message(.text("\($0)")) })
    #expect(server.acceptedConnections > 14)
  }

  @Test func `a server that cannot resume leaves a gap at each cut, which names the last message`() async throws {
    serve(cutEvery: 5, upTo: 30, resumes: false)
    let events = try await socket(resumes: false).reduce(into: []) { $0.append($1) }
    var last: WebSocketMessage?
    var gaps = 0
    for event in events {
      switch event {
      case .message(let message): last = message
      case .gap(let since, let unconfirmed):
        #expect(since == last)
        #expect(unconfirmed == WebSocketUnconfirmed())
        gaps += 1
      }
    }
    #expect(gaps >= 6)
  }

  @Test(arguments: [1000, 1001, 1002, 1003, 1005, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 4000] as [UInt16])
  func `the code of a closure decides whether another connection is opened`(code: UInt16) async throws {
    serve { number, socket in
      if number == 1 { socket.close(WebSocketClosure(.init(rawValue: code))) } else { socket.send("again") }
    }
    let socket = client.webSocket(url)
    var events: [WebSocketEvent] = []
    var failure: FetchError?
    do throws(FetchError) {
      for try await event in socket { events.append(event) }
    } catch {
      failure = error
    }
    switch code {
    case 1000, 1005:
      #expect(failure == nil && events.isEmpty)
    case 1001, 1011, 1012, 1013:
      #expect(failure == nil)
      #expect(events == [.gap(since: nil, unconfirmed: WebSocketUnconfirmed()), .message("again")])
    default:
      #expect(events.isEmpty)
      guard case .socket(.closed(let closure), _)? = failure else {
        Issue.record("\(String(describing: failure))")
        return
      }
      #expect(closure.code.rawValue == code)
    }
  }

  @Test func `what the policy asks for comes first`() async throws {
    serve { number, socket in if number == 1 { socket.close(WebSocketClosure(.init(rawValue: 4000))) } }
    let socket = client.webSocket(url) {
      $0.reconnection.decision = {
        guard case .socket(.closed(let closure), _) = $0, closure.code.rawValue == 4000 else { return nil }
        return true
      }
    }
    let events = try await socket.reduce(into: []) { $0.append($1) }
    #expect(events == [.gap(since: nil, unconfirmed: WebSocketUnconfirmed())])
  }

  @Test(arguments: [503, 404]) func `a status code after a lost connection waits or is thrown`(status: Int) async throws
  {
    let connections = Lock(0)
    server.on("/feed") { _ in
      let number = connections.withLock { count in
        count += 1
        return count
      }
      return switch number {
      case 1: .webSocket { $0.close(WebSocketClosure(.serviceRestart)) }
      case 2: .status(status)
      default: .webSocket { $0.send("back") }
      }
    }
    var events: [WebSocketEvent] = []
    do throws(FetchError) {
      for try await event in client.webSocket(url) { events.append(event) }
      #expect(status == 503)
      #expect(events == [.gap(since: nil, unconfirmed: WebSocketUnconfirmed()), .message("back")])
    } catch {
      guard case .status(let failure, _) = error else { throw error }
      #expect(status == 404 && failure.status == 404 && events.isEmpty)
    }
  }

  @Test func `a gap contains what was sent and not confirmed`() async throws {
    serve { number, socket in
      guard number == 1 else {
        await socket.waitForEnd()
        return
      }
      for _ in 0..<4 { _ = try await socket.receive() }
      socket.end(.reset)
      await socket.waitForEnd()
    }
    let socket = client.webSocket(url)
    try await socket.send("1")
    let second = try await socket.send("2")
    socket.confirm(through: second)
    try await socket.ping()  // no longer confirms
    try await socket.send("3")
    try await socket.send("4")
    var iterator = socket.makeAsyncIterator()
    var unconfirmed = WebSocketUnconfirmed()
    unconfirmed.messages = ["3", "4"]
    #expect(try await iterator.next() == .gap(since: nil, unconfirmed: unconfirmed))
  }

  @Test func `an answered ping confirms what was sent before`() async throws {
    serve { number, socket in
      if number == 1 {
        for _ in 0..<3 { _ = try await socket.receive() }
        socket.end(.reset)
      }
      await socket.waitForEnd()
    }
    let socket = client.webSocket(url)
    try await socket.send("1")
    try await socket.send("2")
    try await socket.ping()
    try await socket.send("3")
    var iterator = socket.makeAsyncIterator()
    var unconfirmed = WebSocketUnconfirmed()
    unconfirmed.messages = ["3"]
    #expect(try await iterator.next() == .gap(since: nil, unconfirmed: unconfirmed))
  }

  @Test func `what was received before a sender notices the end is still read`() async throws {
    server.on("/feed") { _ in
      .webSocket { socket in
        for text in ["1", "2", "3"] { socket.send(.text(text)) }
        socket.close(WebSocketClosure(.init(rawValue: 4001)))
      }
    }
    for _ in 0..<20 {
      let socket = client.webSocket(url)
      _ = try? await socket.connect()  // it may have ended already
      var iterator = socket.makeAsyncIterator()
      #expect(try await iterator.next() == .message("1"))
      await #expect(throws: FetchError.self) { while true { try await socket.send("x") } }
      #expect(try await iterator.next() == .message("2"))
      #expect(try await iterator.next() == .message("3"))
      await #expect(throws: FetchError.self) { try await iterator.next() }
    }
  }

  @Test(arguments: [true, false])
  func `a reply to a connection that has ended costs no message, whether the server resumes or not`(
    resumes: Bool
  ) async throws {
    let next = Lock(0)
    server.on("/feed") { _ in
      .webSocket { socket in
        guard case .text(let text)? = try await socket.receive() else { return }
        if resumes, let after = Int(text) { next.withLock { $0 = after + 1 } }
        for _ in 0..<5 {
          let number = next.withLock { number in
            defer { number += 1 }
            return number
          }
          socket.send(.text("\(number)"))
        }
        socket.close(WebSocketClosure(.serviceRestart))
      }
    }
    let socket = client.webSocket(url) {
      $0.resume = { link, last in
        try await link.send(last ?? "-")
        return resumes ? .resumed : .gap
      }
    }
    var numbers: [Int] = []
    for try await event in socket {
      guard case .message(.text(let text)) = event, let number = Int(text) else { continue }
      numbers.append(number)
      if numbers.count == 60 { break }
      // In the task that reads, as many programs do it.
      if number % 3 == 0 { try await socket.send("reply") }
    }
    #expect(numbers == Array(0..<60))
  }

  @Test func `a reader and a sender that notice an end together do not change the order of messages`() async throws {
    let first = Lock(0)
    server.on("/feed") { _ in
      let start = first.withLock { first in
        defer { first += 5 }
        return first
      }
      return .webSocket { socket in
        for number in start..<(start + 5) { socket.send(.text("\(number)")) }
        socket.close(WebSocketClosure(start < 500 ? .serviceRestart : .normal))
      }
    }
    let socket = client.webSocket(url) { $0.resume = { _, _ in .resumed } }
    let sending = Task { while true { try await socket.send("x") } }
    let events = try await socket.reduce(into: []) { $0.append($1) }
    sending.cancel()
    #expect(events == (0..<505).map { .message(.text("\($0)")) })
  }

  @Test(arguments: [WebSocketResumption.resumed, .gap])
  func `a resumption that has read what is not confirmed takes care of it`(resumption: WebSocketResumption) async throws
  {
    let received = Lock<[WebSocketMessage]>([])
    serve { number, socket in
      if number == 1 {
        _ = try await socket.receive()
        return socket.close(WebSocketClosure(.serviceRestart))
      }
      while let message = try await socket.receive(), message != "end" { received.withLock { $0.append(message) } }
    }
    let socket = client.webSocket(url) {
      $0.resume = { link, _ in
        for message in link.unconfirmed.messages { try await link.send(message) }
        return resumption
      }
    }
    try await socket.send("mine")
    let reading = Task { () async throws(FetchError) in
      var events = socket.makeAsyncIterator()
      return try await events.next()
    }
    try await socket.send("end")
    let event = try await reading.value
    #expect(event == (resumption == .gap ? .gap(since: nil, unconfirmed: WebSocketUnconfirmed()) : nil))
    if event != nil { #expect(try await socket.reduce(into: []) { $0.append($1) } == []) }
    #expect(received.withLock(\.self) == ["mine"])
  }

  @Test func `what is sent again on a connection that is lost too is handed to the next one`() async throws {
    serve { number, socket in
      _ = try await socket.receive()
      if number < 4 { return socket.close(WebSocketClosure(.serviceRestart)) }
    }
    let handed = Lock<[WebSocketUnconfirmed]>([])
    let socket = client.webSocket(url) {
      $0.resume = { link, _ in
        let unconfirmed = link.unconfirmed
        handed.withLock { $0.append(unconfirmed) }
        for message in unconfirmed.messages { try await link.send(message) }
        return .resumed
      }
    }
    try await socket.send("mine")
    #expect(try await socket.reduce(into: []) { $0.append($1) } == [])
    #expect(handed.withLock { $0.map(\.messages) } == [[], ["mine"], ["mine"], ["mine"]])
  }

  @Test func `connecting notices that the connection has been lost`() async throws {
    serve { number, socket in if number == 1 { socket.end(.close) } else { await socket.waitForEnd() } }
    let socket = client.webSocket(url)
    // The client may still be about to read the end.
    while server.acceptedConnections < 2 { try await socket.connect() }
    try await socket.ping()
  }

  @Test func `a resumption cannot leave more than the buffer holds`() async throws {
    server.on("/feed") { _ in
      .webSocket { socket in
        for _ in 0..<40 { socket.send(.binary(Data(count: 1000))) }
        await socket.waitForEnd()
      }
    }
    let socket = client.webSocket(url) {
      $0.options.receiveBuffer = 20_000
      $0.resume = { link, _ in
        _ = try await link.receive { _ in false }
        return .resumed
      }
    }
    await #expect {
      try await socket.connect()
    } throws: {
      if case FetchError.socket(.tooLarge(limit: 20_000), _) = $0 { true } else { false }
    }
  }

  @Test func `a closed socket is not connected`() async throws {
    server.on("/feed") { _ in .webSocket { await $0.waitForEnd() } }
    let socket = client.webSocket(url)
    try await socket.connect()
    try await socket.close()
    await #expect(throws: FetchError.self) { try await socket.connect() }
    await #expect(throws: FetchError.self) { try await socket.ping() }
    await #expect(throws: FetchError.self) { try await socket.send("late") }
    #expect(try await socket.reduce(into: []) { $0.append($1) } == [])
  }

  @Test func `a closure that is refused changes nothing`() async throws {
    serve { number, socket in
      _ = try await socket.receive()
      if number == 1 { socket.close(WebSocketClosure(.serviceRestart)) }
    }
    let socket = client.webSocket(url)
    await #expect(throws: FetchError.self) { try await socket.close(WebSocketClosure(.noStatus)) }
    try await socket.send("go")
    var iterator = socket.makeAsyncIterator()
    guard case .gap? = try await iterator.next() else {
      Issue.record("no other connection")
      return
    }
    try await socket.close()
    #expect(await client.shutdown(within: .seconds(60)) == 0)
  }

  @Test func `an error of the app's resumption is thrown, and one that lasts too long is a timeout`() async throws {
    struct Rejected: Error {}
    server.on("/feed") { _ in .webSocket { await $0.waitForEnd() } }
    let rejected = client.webSocket(url) { $0.resume = { _, _ in throw Rejected() } }
    await #expect {
      try await rejected.connect()
    } throws: {
      if case FetchError.interceptor(let error, _) = $0 { error is Rejected } else { false }
    }
    let hanging = client.webSocket(url) {
      $0.resumeTimeout = .milliseconds(20)
      $0.resume = { link, _ in
        _ = try await link.receive()
        return .resumed
      }
    }
    await #expect {
      try await hanging.connect()
    } throws: {
      if case FetchError.timeout(.idle, _) = $0 { true } else { false }
    }
  }

  @Test func `messages that a resumption does not want stay in order`() async throws {
    server.on("/feed") { _ in
      .webSocket { socket in
        for text in ["a", "b", "ready", "c"] { socket.send(.text(text)) }
      }
    }
    let socket = client.webSocket(url) {
      $0.resume = { link, _ in
        _ = try await link.receive { $0 == "ready" }
        return .resumed
      }
    }
    let events = try await socket.reduce(into: []) { $0.append($1) }
    #expect(events == [.message("a"), .message("b"), .message("c")])
  }
}
