import FetchKitTesting
import Foundation
import LarderTestSupport
import Testing

@testable import FetchKit

/// The client's side of RFC 6455 §5 as a table: bytes of a server, whole and byte by byte, and what they mean.
struct WebSocketReceiverTests {
  typealias Event = WebSocketReceiver.Event

  private static func events(_ bytes: Data, by size: Int, limit: Int = 1 << 20, _ deflate: DeflateAgreement? = nil)
    -> [Event]
  {
    var receiver = WebSocketReceiver(limit: limit, deflate)
    var events: [Event] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      bytes.dropFirst(start).prefix(size).withUnsafeBytes { receiver.receive($0) { events.append($0) } }
    }
    return events
  }

  private static func frame(
    _ opcode: UInt8, _ payload: String, isFinal: Bool = true, bits: UInt8 = 0
  ) -> Data {
    LoopbackSocket.frame(opcode, isFinal: isFinal, bits: bits, Data(payload.utf8))
  }

  private static func violation(_ reason: String) -> Event { .failed(.violation(reason: reason)) }
  private static let notUTF8 = Event.failed(.invalidPayload(reason: "a text is not UTF-8"))

  struct Case: CustomTestStringConvertible {
    var testDescription: String
    var bytes: Data
    var events: [Event]

    init(_ name: String, _ bytes: Data, _ events: Event...) {
      testDescription = name
      self.bytes = bytes
      self.events = events
    }
  }

  static let cases: [Case] = [
    Case("a text", frame(1, "Grüße"), .message("Grüße")),
    Case("empty messages", frame(1, "") + frame(2, ""), .message(""), .message(.binary(Data()))),
    Case(
      "fragments with a ping between them", frame(1, "Gr", isFinal: false) + frame(9, "p") + frame(0, "uß"),
      .ping(Data("p".utf8)), .message("Gruß")),
    Case(
      "a character in two fragments",
      LoopbackSocket.frame(1, isFinal: false, Data([0xC3])) + LoopbackSocket.frame(0, Data([0xBC])), .message("ü")),
    Case("a pong", frame(10, "p"), .pong(Data("p".utf8))),
    Case(
      "126 bytes", frame(1, String(repeating: "a", count: 126)), .message(.text(String(repeating: "a", count: 126)))),
    Case(
      "65 536 bytes", frame(1, String(repeating: "a", count: 65_536)),
      .message(.text(String(repeating: "a", count: 65_536)))),
    Case("a closure without a code", frame(8, ""), .closed(WebSocketClosure(.noStatus))),
    Case(
      "nothing is read after a closure", LoopbackSocket.frame(8, Data([0x03, 0xE8, 0x62])) + frame(1, "late"),
      .closed(WebSocketClosure(.normal, reason: "b"))),
    Case("half a code", LoopbackSocket.frame(8, Data([3])), violation("a closure has half a code")),
    Case("code 1005", LoopbackSocket.frame(8, Data([3, 237])), violation("a closure has a reserved code")),
    Case("a reason that is not UTF-8", LoopbackSocket.frame(8, Data([3, 232, 0xFF])), notUTF8),
    Case("a masked frame", Data([0x81, 0x81, 1, 2, 3, 4, 5]), violation("the server masks a frame")),
    Case("a reserved opcode", frame(3, "x"), violation("a frame has an unknown opcode")),
    Case("a reserved bit", frame(1, "x", bits: 2), violation("a frame has a reserved bit")),
    Case(
      "compression that was not agreed on", frame(1, "x", bits: 4),
      violation("a message is compressed, although that was not agreed on")),
    Case("a continuation of nothing", frame(0, "x"), violation("a continuation follows no message")),
    Case(
      "a message within another", frame(1, "a", isFinal: false) + frame(1, "b"),
      violation("a message begins within another")),
    Case(
      "a fragmented ping", frame(9, "x", isFinal: false),
      violation("a control frame is fragmented or has more than 125 bytes")),
    Case(
      "a ping of 126 bytes", frame(9, String(repeating: "x", count: 126)),
      violation("a control frame is fragmented or has more than 125 bytes")),
    Case(
      "a length that is not the shortest", Data([0x82, 126, 0, 5, 1, 2, 3, 4, 5]),
      violation("the length of a frame is not in its shortest form")),
    Case(
      "a length with the highest bit", Data([0x82, 127, 0x80, 0, 0, 0, 0, 0, 0, 0]),
      violation("the length of a frame has its highest bit set")),
    Case("a text that cannot become UTF-8", LoopbackSocket.frame(1, isFinal: false, Data([0xED, 0xA0])), notUTF8),
    Case("a text that is cut off", LoopbackSocket.frame(1, Data([0xE2, 0x82])), notUTF8),
  ]

  @Test(arguments: cases) func `bytes have one meaning, however they arrive`(row: Case) {
    for size in [row.bytes.count, 1, 2, 3, 7] where size < 8 || size == row.bytes.count {
      if row.bytes.count > 1000, size < row.bytes.count, size < 7 { continue }
      #expect(Self.events(row.bytes, by: size) == row.events, "\(size) bytes at a time")
    }
  }

  @Test func `a message above the limit fails before its bytes arrive`() {
    let head = LoopbackSocket.frame(2, Data(count: 101)).prefix(2)
    #expect(Self.events(head, by: 1, limit: 100) == [.failed(.tooLarge(limit: 100))])
    let fragments = LoopbackSocket.frame(2, isFinal: false, Data(count: 60)) + LoopbackSocket.frame(0, Data(count: 41))
    #expect(Self.events(fragments, by: 5, limit: 100) == [.failed(.tooLarge(limit: 100))])
    #expect(Self.events(fragments, by: 5, limit: 101) == [.message(.binary(Data(count: 101)))])
  }

  @Test(arguments: [false, true], [9, 12, 15] as [Int32])
  func `compressed messages come back, with and without what came before`(resets: Bool, bits: Int32) throws {
    let deflater = Deflater(.raw(windowBits: bits))
    var agreement = DeflateAgreement()
    agreement.serverResets = resets
    var bytes = Data()
    let texts = (0..<20).map { "message \($0 % 3): " + String(repeating: "Grüße und mehr ", count: $0 * 20) }
    for text in texts {
      let compressed = deflater.next(Data(text.utf8), flush: .block).dropLast(4)
      if resets { deflater.reset() }
      // In two fragments, the first with the bit.
      bytes += LoopbackSocket.frame(1, isFinal: false, bits: 4, Data(compressed.prefix(3)))
      bytes += LoopbackSocket.frame(0, Data(compressed.dropFirst(3)))
    }
    for size in [1, 10, bytes.count] {
      #expect(Self.events(bytes, by: size, agreement) == texts.map { .message(.text($0)) })
    }
  }

  @Test func `a bomb ends at the limit`() throws {
    let bomb = Deflater(.raw(windowBits: 15)).next(Data(count: 64 << 20), flush: .block).dropLast(4)
    let bytes = LoopbackSocket.frame(2, bits: 4, Data(bomb))
    #expect(bytes.count < 100_000)
    let growth = try MemoryGrowth()
    #expect(
      Self.events(bytes, by: bytes.count, limit: 1 << 20, DeflateAgreement()) == [.failed(.tooLarge(limit: 1 << 20))])
    #expect(try growth.bytes < 16 << 20)
  }

  @Test func `a compressed message that is cut off is not a shorter one`() {
    let text = (0..<200).map { "word \($0 * 7919 % 1000) " }.joined()
    let whole = Deflater(.raw(windowBits: 15)).next(Data(text.utf8), flush: .block).dropLast(4)
    for count in 1..<whole.count {
      let bytes = LoopbackSocket.frame(1, bits: 4, Data(whole.prefix(count)))
      #expect(
        Self.events(bytes, by: bytes.count, DeflateAgreement())
          == [.failed(.invalidPayload(reason: "a message cannot be decompressed"))], "\(count) of \(whole.count)")
    }
  }

  /// The examples of RFC 7692 §7.2.3: without and with what came before, uncompressed, final, and in two blocks.
  @Test func `the RFC's compressed messages say Hello`() {
    let payloads: [[UInt8]] = [
      [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00], [0xF2, 0x00, 0x11, 0x00, 0x00],
      [0x00, 0x05, 0x00, 0xFA, 0xFF, 0x48, 0x65, 0x6C, 0x6C, 0x6F, 0x00],
      [0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00], [0xF2, 0x00, 0x11, 0x00, 0x00],
      [0xF2, 0x48, 0x05, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xCA, 0xC9, 0xC9, 0x07, 0x00],
      // Final, and without the octet that the RFC demands then.
      [0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00], [0xF2, 0x00, 0x11, 0x00, 0x00],
    ]
    let bytes = payloads.reduce(Data()) { $0 + LoopbackSocket.frame(1, bits: 4, Data($1)) }
    for size in [1, 3, bytes.count] {
      #expect(Self.events(bytes, by: size, DeflateAgreement()) == payloads.map { _ in .message("Hello") })
    }
  }

  @Test func `what cannot be decompressed is an invalid message`() {
    let bytes = LoopbackSocket.frame(2, bits: 4, Data([0xFF, 0xFF, 0xFF, 0xFF]))
    #expect(
      Self.events(bytes, by: 1, DeflateAgreement())
        == [.failed(.invalidPayload(reason: "a message cannot be decompressed"))])
  }

  @Test func `random bytes have the same meaning, however they arrive`() {
    var random = SplitMix.printed()
    for _ in 0..<2000 {
      var bytes = Data()
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let payload = Data(
          (0..<Int.random(in: 0...130, using: &random)).map { _ in UInt8.random(in: 0...127, using: &random) })
        let opcode = [0, 1, 1, 2, 8, 9, 10, 3][Int.random(in: 0..<8, using: &random)] as UInt8
        bytes += LoopbackSocket.frame(opcode, isFinal: .random(using: &random), payload)
      }
      if Bool.random(using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0...7, using: &random)
      }
      let whole = Self.events(bytes, by: bytes.count)
      #expect(Self.events(bytes, by: Int.random(in: 1...9, using: &random)) == whole)
    }
  }
}
