#if os(Linux)
/// What libcurl says about an HTTP/2 connection in its texts for people, and nowhere else.
///
/// A server that ends a connection in good order names the last stream that it has dealt with; what came on a higher
/// one it has not processed (RFC 9113 §6.8), and any method may be sent again. libcurl 7.88 does that by itself, but
/// says of no attempt whether it was one of these. A text of another version that is not known here yields nothing, and
/// then nothing is repeated.
enum CurlHTTP2Note: Equatable {
  /// The request goes on this stream: up to 8.2 `Using Stream ID: 1`, later `[HTTP/2] [1] OPENED stream for …`.
  case opened(Int)
  /// `received GOAWAY, error=0, last_stream=13`; 7.88 and 8.0 have a slip in the first word.
  case ends(lastStream: Int)
  /// `REFUSED_STREAM, retrying a fresh connect`: of the transfer's own stream, on a connection that had no other.
  case refused

  init?(_ text: UnsafeRawBufferPointer) {
    if text.starts(with: "Using Stream ID: ".utf8) {
      guard let id = Self.number(text.dropFirst(17)) else { return nil }
      self = .opened(id)
    } else if text.starts(with: "[HTTP/2] [".utf8) {
      let rest = text.dropFirst(10)
      guard let id = Self.number(rest), let end = rest.firstIndex(of: UInt8(ascii: "]")),
        rest[end...].starts(with: "] OPENED stream".utf8)
      else { return nil }
      self = .opened(id)
    } else if text.starts(with: "received GOAWAY, ".utf8) || text.starts(with: "recveived GOAWAY, ".utf8) {
      guard let sign = text.lastIndex(of: UInt8(ascii: "=")), text[..<sign].reversed().starts(with: "maerts_tsal".utf8),
        let last = Self.number(text[(sign + 1)...])
      else { return nil }
      self = .ends(lastStream: last)
    } else if text.starts(with: "REFUSED_STREAM, retrying".utf8) {
      self = .refused
    } else {
      return nil
    }
  }

  /// The decimal number that the text begins with, if it has no more digits than one of 31 bits.
  private static func number(_ text: Slice<UnsafeRawBufferPointer>) -> Int? {
    let digits = text.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard (1...10).contains(digits.count) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }
}
#endif
