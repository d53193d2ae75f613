#if canImport(CLarderCurl)
/// What libcurl reports about an HTTP/2 connection only in its log texts.
///
/// A server that closes a connection gracefully names the last stream that it has processed. It has not processed
/// requests on higher streams (RFC 9113 §6.8), so they can be sent again with any method. libcurl 7.88 does that
/// itself, but does not report for which attempts. A text of a version that is unknown here yields nothing, and then
/// nothing is repeated.
enum CurlHTTP2Note: Equatable {
  /// The request uses this stream: until 8.2 `Using Stream ID: 1`, later `[HTTP/2] [1] OPENED stream for …`.
  case opened(Int)
  /// `received GOAWAY, error=0, last_stream=13`; 7.88 and 8.0 misspell the first word.
  case ends(lastStream: Int, error: Int)
  /// `REFUSED_STREAM, retrying a fresh connect`: refers to the transfer's own stream, on a connection without other
  /// streams.
  case refused
  /// `Downgrades to HTTP/1.1`: the server requires it for the transfer's stream, and libcurl sends the request again.
  case downgrades

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
      guard let last = Self.number(after: "last_stream=", in: text), let error = Self.number(after: "error=", in: text)
      else { return nil }
      self = .ends(lastStream: last, error: error)
    } else if text.starts(with: "REFUSED_STREAM, retrying".utf8) {
      self = .refused
    } else if text.starts(with: "Downgrades to HTTP/1.1".utf8) {
      self = .downgrades
    } else {
      return nil
    }
  }

  private static func number(after name: StaticString, in text: UnsafeRawBufferPointer) -> Int? {
    let name = UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
    return text.firstRange(of: name).flatMap { number(text[$0.upperBound...]) }
  }

  /// The decimal number at the start of the text; nil if it has more digits than a 31-bit number.
  private static func number(_ text: Slice<UnsafeRawBufferPointer>) -> Int? {
    let digits = text.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard (1...10).contains(digits.count) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }
}
#endif
