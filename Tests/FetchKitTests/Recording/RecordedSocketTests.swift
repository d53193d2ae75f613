import FetchKit
import FetchKitTesting
import Foundation
import LarderTestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct RecordedSocketTests {
  private let scratch: Scratch
  private let cassette: URL

  init() throws {
    scratch = try Scratch()
    cassette = scratch.url.appending(path: "cassette.json")
  }

  /// A room that numbers its messages, restarts after the third and then resumes.
  private static func serve(_ server: LoopbackServer) {
    server.on("/room") { _ in
      .webSocket(subprotocol: "v1") { socket in
        guard case .text(let hello)? = try await socket.receive() else { return }
        let first = hello.contains("after") ? 3 : 0
        for number in first..<(first + 3) { socket.send(.text("{\"number\": \(number), \"token\": \"s3cret\"}")) }
        socket.send(.binary(Data("raw".utf8)))
        if first == 0 {
          _ = try await socket.receive()
          socket.close(WebSocketClosure(.serviceRestart, reason: "restart"))
        }
      }
    }
    server.on("/closed", .status(403))
  }

  /// What a program does with the room, and what it sees.
  private func run(_ recorder: Recorder, _ port: Int) async throws -> [String] {
    let client = FetchClient {
      $0.transport = recorder
      $0.random = { 0 }
    }
    var seen: [String] = []
    let socket = client.webSocket("ws://127.0.0.1:\(port)/room?api_key=s3cret") {
      $0.options.subprotocols = ["v1"]
      $0.resume = { link, last in
        try await link.send(last == nil ? #"{"hello": 1, "password": "s3cret"}"# : "after")
        return last == nil ? .gap : .resumed
      }
    }
    seen.append(try await socket.connect() ?? "none")
    for try await event in socket {
      switch event {
      case .message(.text(let text)): seen.append(text.replacing("s3cret", with: "…").filter(\.isNumber))
      case .message(.binary(let data)):
        seen.append("\(data.count) bytes")
        if seen.count > 6 { continue }
        try await socket.ping()
        try await socket.send("go on")
      case .gap: seen.append("gap")
      }
    }
    let refused = client.webSocket("ws://127.0.0.1:\(port)/closed")
    let error = await #expect(throws: FetchError.self) { try await refused.connect() }
    return seen + [error?.description.contains("403") == true ? "403" : "?"]
  }

  @Test func `a recorded conversation is replayed without the server, reconnection included`() async throws {
    let server = try LoopbackServer()
    Self.serve(server)
    let curl = try CurlTransport { $0.proxy = .none }
    let recorder = try Recorder(.record(curl), cassette: cassette)
    let recorded = try await run(recorder, Int(server.port))
    try recorder.save()
    #expect(recorded == ["v1", "0", "1", "2", "3 bytes", "3", "4", "5", "3 bytes", "403"])
    server.stop()

    let text = try String(contentsOf: cassette, encoding: .utf8)
    #expect(!text.contains("s3cret") && text.contains("\"closed\" : 1012"))
    let player = try Recorder(.replay, cassette: cassette)
    #expect(try await run(player, Int(server.port)) == recorded)
    // Each recording is used once.
    await #expect(throws: FetchError.self) { try await run(player, Int(server.port)) }
  }

  private func write(_ events: String) throws {
    try Data(
      """
      {"version": 1, "recordings": [{"request": {"method": "GET", "url": "http://x.example/", "headers": []},
       "response": {"status": 101, "headers": [], "body": {"text": ""}}, "socket": [\(events)]}]}
      """.utf8
    ).write(to: cassette)
  }

  private func player() throws -> WebSocket {
    let recorder = try Recorder(.replay, cassette: cassette)
    return FetchClient { $0.transport = recorder }.webSocket("ws://x.example/") { $0.reconnection = .never }
  }

  @Test func `a message is received once the program has sent what it had sent before`() async throws {
    try write(#"{"received": {"text": "a"}}, {"sent": {"text": "b"}}, {"received": {"text": "c"}}, {"closed": 1000}"#)
    let socket = try player()
    var events = socket.makeAsyncIterator()
    #expect(try await events.next() == .message("a"))
    let waiting = Task { () async throws(FetchError) in
      var events = socket.makeAsyncIterator()
      return try await events.next()
    }
    try await socket.send("b")
    #expect(try await waiting.value == .message("c"))
    #expect(try await events.next() == nil)
  }

  @Test(arguments: ["other", "b2"])
  func `a message that the cassette does not have is an error that names it`(text: String) async throws {
    try write(#"{"sent": {"text": "b"}}, {"received": {"text": "c"}}"#)
    let socket = try player()
    if text == "b2" { try await socket.send("b") }
    let error = await #expect(throws: FetchError.self) { try await socket.send(.text(text)) }
    #expect(error?.description.contains("message \(text == "b2" ? 2 : 1)") == true)
    #expect(error?.description.contains(text) == false)
  }

  @Test(arguments: [("lost", true), ("silent", true), ("violation", false), ("made up", false)])
  func `the end of a connection is replayed`(fault: String, isRetryable: Bool) async throws {
    try write("{\"received\": {\"text\": \"a\"}}, {\"fault\": \"\(fault)\"}")
    let socket = try player()
    var events = socket.makeAsyncIterator()
    #expect(try await events.next() == .message("a"))
    await #expect { try await events.next() } throws: { ($0 as? FetchError)?.isRetryable == isRetryable }
  }

  @Test func `a conversation that the program ended waits for its end`() async throws {
    try write(#"{"received": {"text": "a"}}"#)
    let socket = try player()
    var events = socket.makeAsyncIterator()
    #expect(try await events.next() == .message("a"))
    try await socket.close()
    #expect(try await events.next() == nil)
  }

  @Test(arguments: [WebSocketClosure(.goingAway), WebSocketClosure()])
  func `a closure by the program is replayed as one, also to a reader beside it`(closure: WebSocketClosure) async throws
  {
    let server = try LoopbackServer()
    server.on("/room") { _ in
      .webSocket { socket in
        socket.answersControlFrames = closure.code == .goingAway
        socket.send(.binary(Data(#"{"token": "s3cret", "n": 1}"#.utf8)))
        socket.send(#"42["auth",{"token":"s3cret"}]"#)
        await socket.waitForEnd()
        socket.end(.close)
      }
    }
    func run(_ recorder: Recorder) async throws -> Int {
      let client = FetchClient { $0.transport = recorder }
      let socket = client.webSocket("ws://127.0.0.1:\(server.port)/room")
      let seen = AsyncCondition(0)
      let reading = Task {
        for try await _ in socket { seen.change { $0 += 1 } }
      }
      await seen.wait { $0 >= 2 }
      try await socket.close(closure)
      try await reading.value
      return seen.change { $0 }
    }
    let curl = try CurlTransport { $0.proxy = .none }
    let recorder = try Recorder(.record(curl), cassette: cassette)
    #expect(try await run(recorder) == 2)
    try recorder.save()
    let stored = try #require(recorder.recordings.first?.socket)
    #expect(stored.count == 2)
    for case .received(.bytes(let data)) in stored {
      #expect(!String(decoding: data, as: UTF8.self).contains("s3cret"))
    }
    for case .received(.text(let text)) in stored { #expect(!text.contains("s3cret") && text.hasPrefix("42[")) }
    server.stop()
    #expect(try await run(try Recorder(.replay, cassette: cassette)) == 2)
  }

  @Test func `a message that was too large is replayed as the error`() async throws {
    try write(#"{"fault": "tooLarge"}"#)
    let socket = try player()
    await #expect {
      try await socket.reduce(into: 0) { count, _ in count += 1 }
    } throws: {
      if case FetchError.socket(.tooLarge, _) = $0 { true } else { false }
    }
  }

  @Test func `a transport without WebSockets cannot be recorded`() async throws {
    let recorder = try Recorder(.record(StubTransport()), cassette: cassette)
    let socket = FetchClient { $0.transport = recorder }.webSocket("ws://x.example/")
    await #expect {
      try await socket.connect()
    } throws: {
      if case FetchError.invalidRequest = $0 { true } else { false }
    }
    #expect(recorder.recordings.isEmpty)
  }
}
