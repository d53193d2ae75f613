import FetchKitTesting
import Foundation
import LarderTestSupport

/// A server's behaviour, and its description.
struct WildResponse: Sendable {
  var script: [LoopbackResponse.Step]
  var text: String

  /// The variant that URLSession on Linux may receive; nil where there is none.
  ///
  /// URLSession crashes the process where a head is cut off or falls silent, where Foundation cannot read it, and where
  /// a trailer follows the body; a head that begins with white space is libcurl's issue 11101, and Foundation reuses
  /// handles. Its timeouts are whole seconds, and it may take bytes on an idle connection for the next response: so the
  /// server closes each connection.
  var survivedByURLSession: WildResponse? {
    let bytes = script.reduce(into: Data()) { if case .send(let piece) = $1 { $0 += piece } }
    guard let end = bytes.range(of: Data("\r\n\r\n".utf8)),
      let head = String(bytes: bytes[..<end.lowerBound], encoding: .ascii),
      head.wholeMatch(of: #/HTTP/1\.[01] [2-5][0-9][0-9] [ -~]*(\r\n[!-9;-~]+:[ -~]*)*/#) != nil
    else { return nil }
    if let last = bytes.range(of: Data("\r\n0\r\n".utf8)), !bytes[last.upperBound...].starts(with: Data("\r\n".utf8)) {
      return nil
    }
    var tamed = self
    if case .end = tamed.script.last { tamed.script.removeLast() }
    tamed.script.append(.end(.close))
    return tamed
  }
}

/// Generates responses: most nearly correct, some wrong in one place, some in several.
struct WildGenerator {
  private var random: SplitMix

  init(_ seed: UInt64) { random = SplitMix(seed: seed) }

  mutating func response() -> WildResponse {
    let isOrderly = chance(3)
    var bytes = head(isOrderly)
    var isCorrupt = false
    if !isOrderly, chance(2) {
      isCorrupt = true
      for _ in 0...pick(3) { corruption(&bytes) }
    }
    let text = String(decoding: bytes.prefix(600), as: UTF8.self).debugDescription
    var script: [LoopbackResponse.Step] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = rest.prefix(chance(2) ? rest.count : 1 + pick(rest.count))
      script.append(.send(Data(piece)))
      rest = rest.dropFirst(piece.count)
      if !rest.isEmpty, chance(8) { script.append(.pause(.milliseconds(1))) }
    }
    // A response that never ends costs the client a timeout: only now and then.
    if isOrderly ? chance(2) : isCorrupt ? !chance(20) : chance(2) { script.append(.end(chance(4) ? .reset : .close)) }
    return WildResponse(script: script, text: text)
  }

  private mutating func head(_ isOrderly: Bool) -> [UInt8] {
    let end = isOrderly || !chance(8) ? "\r\n" : one(of: ["\n", "\r", "\r\r\n"])
    var text = ""
    for _ in 0..<(chance(6) ? 1 + pick(3) : 0) {
      text += one(of: ["HTTP/1.1 103 Early Hints", "HTTP/1.1 100 Continue", "HTTP/1.1 102 X"]) + end
      if chance(2) { text += "Link: </x>" + end }
      text += end
    }
    text += isOrderly ? "HTTP/1.1 200 OK" : one(of: Self.statusLines)
    text += end
    var body = [UInt8](repeating: UInt8(ascii: "w"), count: chance(10) ? 70_000 : pick(300))
    for _ in 0..<pick(5) { text += (isOrderly ? "X-Field: value" : one(of: Self.fields)) + end }
    if chance(40) { text += "Long: " + String(repeating: "x", count: 90_000) + end }
    let encoding =
      isOrderly ? "" : one(of: ["", "", "", "", "gzip", "deflate", "br", "utf-8", "gzip, gzip", "identity"])
    if !encoding.isEmpty { text += "Content-Encoding: \(encoding)" + end }
    if encoding == "gzip", chance(2) {
      body = Array(Data(base64Encoded: "H4sIAAAAAAACA8tIzcnJV8hAJwHjUT2NFwAAAA==") ?? Data())
    }
    switch pick(5) {
    case 0:
      text += "Transfer-Encoding: \(isOrderly ? "chunked" : one(of: Self.codings))" + end
      if !isOrderly, chance(6) { text += "Content-Length: \(pick(50))" + end }
      body = chunked(body, isOrderly)
    case 1 where !isOrderly:
      text += one(of: Self.lengths) + end
      if chance(2) { text += one(of: Self.lengths) + end }
    default: text += "Content-Length: \(body.count)" + end
    }
    return Array((text + end).utf8) + body
      + (!isOrderly && chance(6) ? Array("HTTP/1.1 200 OK\r\n\r\nPOISON".utf8) : [])
  }

  private mutating func chunked(_ body: [UInt8], _ isOrderly: Bool) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = body[...]
    while !rest.isEmpty {
      let piece = rest.prefix(1 + pick(rest.count))
      var size = String(piece.count, radix: 16)
      if !isOrderly, chance(8) {
        size = one(of: [
          "0" + size, size + ";a=b", size.uppercased(), " " + size, "-1", "FFFFFFFFFFFFFFFFF", size + "0",
        ])
      }
      bytes += Array((size + "\r\n").utf8) + piece + Array((isOrderly || !chance(20) ? "\r\n" : "").utf8)
      rest = rest.dropFirst(piece.count)
    }
    if isOrderly || !chance(8) { bytes += Array("0\r\n".utf8) }
    if chance(4) { bytes += Array((isOrderly ? "X-Trailer: t\r\n" : one(of: Self.fields) + "\r\n").utf8) }
    return bytes + Array("\r\n".utf8)
  }

  private mutating func corruption(_ bytes: inout [UInt8]) {
    guard !bytes.isEmpty else { return }
    // Mostly in the head: bodies tolerate more.
    let place = chance(4) ? pick(bytes.count) : pick(min(bytes.count, 200))
    switch pick(6) {
    case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
    case 1: bytes.remove(at: place)
    case 2: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
    case 3: bytes.removeLast(bytes.count - place)
    case 4: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 1 + pick(40))], at: place)
    default: bytes.insert(contentsOf: Array(one(of: [" ", "\t", "\0", "\r\n", ":", "\r\n "]).utf8), at: place)
    }
  }

  private mutating func chance(_ oneIn: Int) -> Bool { pick(oneIn) == 0 }
  private mutating func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
  private mutating func one(of texts: [String]) -> String { texts[pick(texts.count)] }

  private static let statusLines = [
    "HTTP/1.1 200 OK", "HTTP/1.1 200 OK", "HTTP/1.1 200 OK", "HTTP/1.0 200 OK", "HTTP/1.1 200",
    "HTTP/1.1 204 No Content",
    "HTTP/1.1 304 Not Modified", "HTTP/1.1 404 Not Found", "HTTP/1.1  200 OK", "HTTP/2 200", "http/1.1 200 OK",
    "HTTP/1.1 099 X", "HTTP/1.1 1000 X", "HTTP/1.1 20 X", "ICY 200 OK", "HTTP/1.1 101 Switching Protocols", "",
    "HTTP/9.9 200 X",
    "HTTP/1.1 401 X\r\nWWW-Authenticate: Basic realm=x", "HTTP/1.1 302 X\r\nLocation: /known/1", "HTTP/1.1 417 X",
    "HTTP/1.1 407 X",
  ]
  private static let fields = [
    "X-Field: value", " X-Folded: first", "\tX: tab", "X: a\r\n  folded", "no colon", ": no name", "X-Empty:",
    "X\0Y: nul",
    "X: \u{1}", "X-Grün: ü", "Connection: close", "Connection: keep-alive", "Keep-Alive: timeout=1", "Upgrade: h2c",
    "Trailer: X",
    "Set-Cookie: a=b", "Date: never", "Location: /known/2", "X : space before", "Content-Type: text/plain;;;",
    "Proxy-Connection: close",
    "Strict-Transport-Security: max-age=1", "Alt-Svc: h2=\":1\"", "Content-Range: bytes 0-1/2", "Last-Modified: x",
  ]
  private static let codings = [
    "chunked", "chunked", "gzip, chunked", "chunked, chunked", "identity", "Chunked", "chunked;q=1", "x",
  ]
  private static let lengths = [
    "Content-Length: 5", "Content-Length: 0x5", "Content-Length: -5", "Content-Length: +5",
    "Content-Length: 99999999999999999999",
    "Content-Length:", "Content-Length: 5, 5", "Content-Length: 5, 6", "Content-Length: five", "content-length: 7",
    "Content-Length : 5", "Content-Length: 5abc", "Content-Length: 1000000000",
  ]
}
