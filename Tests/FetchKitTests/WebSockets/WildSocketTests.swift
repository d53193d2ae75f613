#if os(Linux)
import FetchKitTesting
import Foundation
import LarderTestSupport
import Testing

@testable import FetchKit

/// WebSockets whose handshake or frames are damaged with a seed, each beside a healthy one of the same client.
///
/// `LARDER_WILD` sets how many, `LARDER_SEED` repeats a run.
@Suite(.timeLimit(.minutes(30))) struct WildSocketTests {
  private static let limit = 20_000

  @Test func `damaged frames between known messages deliver what a simple reader finds, and end as it says`()
    async throws
  {
    let environment = ProcessInfo.processInfo.environment
    let seed = environment["LARDER_SEED"].flatMap { UInt64($0) } ?? .random(in: 0..<1_000_000)
    let count = environment["LARDER_WILD"].flatMap { Int($0) } ?? 200
    print("damaged frames: seed \(seed)")
    let next = Lock([Data]())
    let server = try LoopbackServer()
    server.on("/wild") { _ in
      let pieces = next.withLock { $0 }
      return .webSocket { socket in
        socket.answersControlFrames = false
        for piece in pieces { socket.send(bytes: piece) }
        socket.end(.close)
        await socket.waitForEnd()
      }
    }
    let known = try await KnownSocket(server)
    let growth = try MemoryGrowth()
    var outcomes: [String: Int] = [:]
    for round in 0..<count {
      var wild = WildFrames(seed &* 1_000_003 &+ UInt64(round))
      let bytes = wild.bytes()
      let expected = SimpleReader.read(bytes, limit: Self.limit)
      next.withLock { $0 = wild.pieces(of: Data(bytes)) }
      let socket = known.client.webSocket("ws://127.0.0.1:\(server.port)/wild") {
        $0.reconnection = .never
        $0.options.compression = false
        $0.options.maximumMessageSize = Self.limit
      }
      let outcome = await SimpleReader.Outcome(of: socket)
      #expect(outcome == expected, "seed \(seed), round \(round): \(bytes.prefix(400))")
      outcomes[expected.end, default: 0] += 1
      try await known.check(round)
    }
    print("damaged frames: \(outcomes.sorted { $0.value > $1.value }.map { "\($0.value) \($0.key)" })")
    #expect(outcomes.count >= 4)
    // In the short form, other tests may run in the same process.
    if environment["LARDER_WILD"] != nil { #expect(try growth.bytes < 64 << 20) }
  }

  @Test func `a damaged handshake opens a socket only if it is still one, and no message is invented`() async throws {
    let environment = ProcessInfo.processInfo.environment
    let seed = environment["LARDER_SEED"].flatMap { UInt64($0) } ?? .random(in: 0..<1_000_000)
    let count = environment["LARDER_WILD"].flatMap { Int($0) } ?? 200
    print("damaged handshakes: seed \(seed)")
    let round = Lock(0)
    let server = try LoopbackServer()
    server.on("/wild") { request in
      var wild = WildHandshake(seed &* 1_000_003 &+ UInt64(round.withLock { $0 }))
      let bytes = wild.response(to: request.headers["Sec-WebSocket-Key"] ?? "")
      return .bytes(wild.pieces(of: bytes).map { .send($0) } + [.end(.close)])
    }
    let known = try await KnownSocket(server)
    var counts = (opened: 0, refused: 0)
    for number in 0..<count {
      round.withLock { $0 = number }
      var wild = WildHandshake(seed &* 1_000_003 &+ UInt64(number))
      _ = wild.response(to: "")
      let socket = known.client.webSocket("ws://127.0.0.1:\(server.port)/wild") {
        $0.reconnection = .never
        $0.options.subprotocols = ["v1"]
      }
      let outcome = await SimpleReader.Outcome(of: socket)
      let isOpen = outcome.messages == ["hello", "world"] && outcome.end == "closed 1001"
      let isRefused = outcome.messages.isEmpty && outcome.end == "refused"
      let isCutShort = wild.endsEarly && outcome.messages.isEmpty && outcome.end == "violation"
      #expect(isOpen || isRefused || isCutShort, "seed \(seed), round \(number): \(wild.damage): \(outcome)")
      if let opens = wild.opens {
        #expect(opens == isOpen, "seed \(seed), round \(number): \(wild.damage): \(outcome)")
      }
      if isOpen { counts.opened += 1 } else { counts.refused += 1 }
      try await known.check(number)
    }
    print("damaged handshakes: \(counts)")
    #expect(counts.opened > count / 20 && counts.refused > count / 4)
  }
}

/// A healthy socket beside the damaged ones.
private struct KnownSocket {
  let client: FetchClient
  private let socket: WebSocket

  init(_ server: LoopbackServer) async throws {
    server.on("/known") { _ in
      .webSocket { socket in
        while let message = try await socket.receive() { socket.send(message) }
      }
    }
    let transport = try CurlTransport { $0.proxy = .none }
    client = FetchClient {
      $0.transport = transport
      $0.timeouts = Timeouts(connect: .seconds(20), idle: .seconds(20), total: .seconds(20))
    }
    socket = client.webSocket("ws://127.0.0.1:\(server.port)/known") { $0.reconnection = .never }
  }

  func check(_ number: Int) async throws {
    try await socket.send(.text("known \(number)"))
    var events = socket.makeAsyncIterator()
    let event = try await events.next()
    #expect(event == .message(.text("known \(number)")))
  }
}

/// Reads the frames of a server when all bytes are there: the RFC once more, as plainly as possible.
private enum SimpleReader {
  struct Outcome: Equatable {
    var messages: [WebSocketMessage] = []
    var end = ""
  }

  static func read(_ bytes: [UInt8], limit: Int) -> Outcome {
    var outcome = Outcome()
    var rest = bytes[...]
    var message: (isText: Bool, bytes: [UInt8])?
    while true {
      // The first byte is enough to see some violations.
      guard let first = rest.first else { return outcome.ending("lost") }
      let opcode = first & 15
      guard [0, 1, 2, 8, 9, 10].contains(opcode), first & 0x30 == 0 else { return outcome.ending("violation") }
      guard rest.count > 1 else { return outcome.ending("lost") }
      let second = rest[rest.startIndex + 1]
      let short = Int(second & 127)
      if opcode >= 8, first & 0x80 == 0 || short > 125 { return outcome.ending("violation") }
      let extra = short == 126 ? 2 : short == 127 ? 8 : 0
      let head = 2 + extra + (second & 0x80 == 0 ? 0 : 4)
      guard rest.count >= head else { return outcome.ending("lost") }
      let long = rest.dropFirst(2).prefix(extra).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      let length = extra == 0 ? UInt64(short) : long
      if length > Int.max || extra == 2 && long < 126 || extra == 8 && long < 65_536 || second & 0x80 != 0
        || first & 0x40 != 0
      {
        return outcome.ending("violation")
      }
      if opcode == 0, message == nil { return outcome.ending("violation") }
      if opcode == 1 || opcode == 2 {
        if message != nil { return outcome.ending("violation") }
        message = (opcode == 1, [])
      }
      if opcode < 8, length > UInt64(limit - (message?.bytes.count ?? 0)) { return outcome.ending("too large") }
      let payload = rest.dropFirst(head).prefix(Int(min(length, UInt64(bytes.count))))
      let isWhole = payload.count == Int(length)
      if opcode < 8 {
        message?.bytes += payload
        if let message, message.isText, !isPrefixOfUTF8(message.bytes) { return outcome.ending("invalid") }
      }
      guard isWhole else { return outcome.ending("lost") }
      rest = rest.dropFirst(head + payload.count)
      if opcode == 8 { return outcome.ending(closure(Array(payload))) }
      guard opcode < 8, first & 0x80 != 0, let whole = message else { continue }
      message = nil
      guard whole.isText else {
        outcome.messages.append(.binary(Data(whole.bytes)))
        continue
      }
      guard let text = String(validating: whole.bytes, as: UTF8.self) else { return outcome.ending("invalid") }
      outcome.messages.append(.text(text))
    }
  }

  private static func closure(_ payload: [UInt8]) -> String {
    if payload.isEmpty { return "closed 1000" }  // both end the sequence
    guard payload.count > 1 else { return "violation" }
    let code = Int(payload[0]) << 8 | Int(payload[1])
    guard [1000, 1001, 1002, 1003].contains(code) || 1007...1014 ~= code || 3000...4999 ~= code else {
      return "violation"
    }
    return String(validating: payload[2...], as: UTF8.self) == nil ? "invalid" : "closed \(code)"
  }

  /// Whether some text begins with the bytes.
  private static func isPrefixOfUTF8(_ bytes: [UInt8]) -> Bool {
    if String(validating: bytes, as: UTF8.self) != nil { return true }
    for missing in 1...3 {
      for cut in 1...3 where bytes.count >= cut {
        // Completed by the smallest and the largest continuation bytes that some leading byte asks for.
        for filler: UInt8 in [0x80, 0x90, 0xA0, 0xBF] {
          let tail = Array(bytes.suffix(cut)) + [filler] + Array(repeating: 0x80, count: missing - 1)
          if String(validating: bytes.dropLast(cut), as: UTF8.self) != nil,
            String(validating: tail, as: UTF8.self).map({ $0.unicodeScalars.count == 1 }) == true
          {
            return true
          }
        }
      }
    }
    return false
  }
}

extension SimpleReader.Outcome {
  fileprivate func ending(_ end: String) -> Self {
    var outcome = self
    outcome.end = end
    return outcome
  }

  /// What a client sees.
  fileprivate init(of socket: WebSocket) async {
    var messages: [WebSocketMessage] = []
    var isOpen = false
    var end = "closed normally"
    do throws(FetchError) {
      try await socket.connect()
      isOpen = true
    } catch {
      // The server may have ended what was open.
      if case .socket = error { isOpen = true }
    }
    do throws(FetchError) {
      for try await event in socket { if case .message(let message) = event { messages.append(message) } }
      end = "closed 1000"
    } catch {
      end =
        switch error {
        case .socket(.closed(let closure), _): "closed \(closure.code.rawValue)"
        case .socket(.violation, _): "violation"
        case .socket(.invalidPayload, _): "invalid"
        case .socket(.tooLarge, _): "too large"
        case .socket(.connection, _): "lost"
        default: isOpen ? "\(error)" : "refused"
        }
    }
    self.init(messages: messages, end: end)
  }
}

/// Known messages, and between them what a seed chooses.
private struct WildFrames {
  private var random: SplitMix

  init(_ seed: UInt64) { random = SplitMix(seed: seed) }

  mutating func bytes() -> [UInt8] {
    var bytes: [UInt8] = []
    for index in 0..<Int.random(in: 1...5, using: &random) {
      bytes += LoopbackSocket.frame(1, Data("known \(index)".utf8))
      bytes += piece()
    }
    return bytes + LoopbackSocket.frame(8, Data([0x03, 0xE9]))
  }

  private mutating func payload(_ range: ClosedRange<Int>) -> Data {
    let texts = ["é", "漢", "😀", "a", "\u{7FF}", "\u{FFFF}", "\u{10FFFF}"]
    let count = Int.random(in: range, using: &random)
    if Bool.random(using: &random) {
      var data = Data((0..<count).map { _ in texts.randomElement(using: &random)! }.joined().utf8)
      if Int.random(in: 0..<4, using: &random) == 0, !data.isEmpty {
        data[Int.random(in: 0..<data.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      return data
    }
    return Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
  }

  private mutating func piece() -> [UInt8] {
    let data = [1, 2].randomElement(using: &random)!
    switch Int.random(in: 0..<9, using: &random) {
    case 0: return []
    case 1: return Array(LoopbackSocket.frame(UInt8.random(in: 9...10, using: &random), payload(0...30)))
    case 2: return Array(LoopbackSocket.frame(UInt8(data), payload(0...200)))
    case 3:
      var bytes = LoopbackSocket.frame(UInt8(data), isFinal: false, payload(0...20))
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        if Bool.random(using: &random) { bytes += LoopbackSocket.frame(9, payload(0...5)) }
        bytes += LoopbackSocket.frame(0, isFinal: false, payload(0...20))
      }
      return Array(bytes + LoopbackSocket.frame(0, payload(0...20)))
    case 4:
      let code = [1000, 1001, 1004, 1005, 1006, 1012, 1015, 2999, 3000, 4999, 5000].randomElement(using: &random)!
      return Array(LoopbackSocket.frame(8, Data([UInt8(code >> 8), UInt8(code & 255)]) + payload(0...10)))
    case 5:
      return Array(
        LoopbackSocket.frame(
          .random(in: 0...15, using: &random), isFinal: .random(using: &random),
          bits: .random(in: 0...7, using: &random), payload(0...20)))
    case 6: return [0x80 | UInt8(data), 127, 0, 0, 1, 0, 0, 0, 0, 0] + payload(0...20)
    case 7: return (0..<Int.random(in: 1...20, using: &random)).map { _ in .random(in: 0...255, using: &random) }
    default: return mutated(Array(LoopbackSocket.frame(UInt8(data), payload(0...300))))
    }
  }

  /// A frame with a byte of its header changed, removed or doubled.
  private mutating func mutated(_ frame: [UInt8]) -> [UInt8] {
    var frame = frame
    let index = Int.random(in: 0..<min(frame.count, 4), using: &random)
    switch Int.random(in: 0..<3, using: &random) {
    case 0: frame[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 1: frame.remove(at: index)
    default: frame.insert(frame[index], at: index)
    }
    return frame
  }
}

/// A response that opens a socket, with a damage that a seed chooses.
private struct WildHandshake {
  private var random: SplitMix
  private(set) var damage = ""
  /// Whether the response opens a socket; nil if that depends on the byte that is damaged.
  private(set) var opens: Bool?
  /// Whether a damaged byte ended the response before its last line, so that what is left of it is read as a frame.
  private(set) var endsEarly = false

  init(_ seed: UInt64) { random = SplitMix(seed: seed) }

  mutating func response(to key: String) -> Data {
    var status = "HTTP/1.1 101 Switching Protocols"
    var lines = [
      "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Accept: \(WebSocketHandshake.accept(key))",
      "Sec-WebSocket-Protocol: v1",
    ]
    let kinds: [(String, Bool?)] = [
      ("none", true), ("case and order", true), ("other fields", true), ("missing", false), ("accept", false),
      ("extension", false), ("subprotocol", false), ("status", false), ("interim", true), ("byte", nil), ("cut", false),
      ("twice", false), ("long", false), ("value", false),
    ]
    let kind = kinds.randomElement(using: &random)!
    (damage, opens) = kind
    var cut: Double?
    switch damage {
    case "case and order":
      lines = lines.shuffled(using: &random).map { line in
        let parts = line.split(separator: ":", maxSplits: 1)
        return "\(parts[0].uppercased()):\(parts[1])  "
      }
    case "other fields": lines.insert("X-\(Int.random(in: 0...99, using: &random)): y", at: 1)
    case "missing": lines.remove(at: Int.random(in: 0..<3, using: &random))
    case "accept": lines[2] = "Sec-WebSocket-Accept: \(WebSocketHandshake.accept(key + "x"))"
    case "extension":
      lines.append("Sec-WebSocket-Extensions: \(["x-y", "permessage-deflate; q"].randomElement(using: &random)!)")
    case "subprotocol": lines[3] = "Sec-WebSocket-Protocol: \(["v2", "V1", "v1, v1"].randomElement(using: &random)!)"
    case "status": status = "HTTP/1.1 \([200, 204, 301, 401, 404, 426, 500].randomElement(using: &random)!) X"
    case "interim": status = "HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n" + status
    case "cut": cut = .random(in: 0..<1, using: &random)
    case "twice": lines.append(lines[2])
    case "long": lines.append("X: " + String(repeating: "y", count: 400_000))
    case "value":
      let index = Int.random(in: 0..<2, using: &random)
      lines[index] = index == 0 ? "Upgrade: h2c" : "Connection: keep-alive"
    default: break
    }
    var head = Data(([status] + lines).joined(separator: "\r\n").utf8) + Data("\r\n\r\n".utf8)
    if damage == "byte" {
      head[Int.random(in: 0..<head.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      endsEarly = head.firstRange(of: Data("\n\n".utf8)) != nil
    }
    if let cut { return head.prefix(Int(Double(head.count) * cut)) }
    return head + LoopbackSocket.frame(1, Data("hello".utf8)) + LoopbackSocket.frame(1, Data("world".utf8))
      + LoopbackSocket.frame(8, Data([0x03, 0xE9]))
  }
}

extension WildHandshake {
  mutating func pieces(of data: Data) -> [Data] { cut(data, using: &random) }
}

extension WildFrames {
  mutating func pieces(of data: Data) -> [Data] { cut(data, using: &random) }
}

private func cut(_ data: Data, using random: inout SplitMix) -> [Data] {
  var rest = data
  var pieces: [Data] = []
  while !rest.isEmpty {
    let size = Int.random(in: 1...[3, 50, 1_000_000].randomElement(using: &random)!, using: &random)
    pieces.append(Data(rest.prefix(size)))
    rest = rest.dropFirst(size)
    if pieces.count > 40 {
      pieces.append(Data(rest))
      break
    }
  }
  return pieces
}
#endif
