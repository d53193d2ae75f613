#if canImport(CLarderCurl)
internal import Foundation

/// The body of a response on its way to the caller: decoded, limited, and collected or passed on.
struct CurlBody {
  /// Who removes the content coding.
  enum Decoding {
    /// No one: the body is delivered as it was sent.
    case none
    case inflater(Inflater, name: String)
    case libcurl(name: String)
  }

  /// The whole body, if it is not passed on.
  private(set) var whole = Data()
  /// Where a streamed body is passed on.
  var channel: BodyChannel?
  var decoding = Decoding.none
  private var expected = 0
  private var received = 0
  /// How many bytes, of those that libcurl is about to deliver again, have been decompressed already.
  private var repeated = 0

  var codingRemoved: String? {
    switch decoding {
    case .none: nil
    case .inflater(_, let name), .libcurl(let name): name
    }
  }

  var isInflated: Bool { if case .inflater = decoding { true } else { false } }

  /// Whether the compressed data has not ended. No bytes at all are a body too, as servers send them.
  var isCutOff: Bool {
    if case .inflater(let inflater, _) = decoding { inflater.isRunning } else { false }
  }

  /// Whether the compressed data says that the body has ended.
  var hasEnded: Bool {
    if case .inflater(let inflater, _) = decoding { inflater.hasEnded } else { false }
  }

  mutating func expect(_ count: Int) { expected = min(count, 1 << 20) }

  mutating func discard() { (whole, channel, decoding) = (Data(), nil, .none) }

  /// Whether the bytes were taken; if not, too many wait for the reader, and libcurl has to deliver these again. And
  /// whether the channel's reader waits for some of them.
  typealias Receipt = (isTaken: Bool, hasReader: Bool)

  mutating func receive(_ bytes: UnsafeRawBufferPointer, limit: Int) throws(TransportError) -> Receipt {
    guard case .inflater(let inflater, _) = decoding else {
      if channel?.isFull() == true { return (false, false) }
      return (true, try take(bytes, limit: limit))
    }
    let skipped = min(repeated, bytes.count)
    var rest = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(skipped))
    var hasReader = false
    while true {
      if channel?.isFull() == true {
        repeated = max(repeated, bytes.count - rest.count)
        return (false, hasReader)
      }
      let decoded: UnsafeRawBufferPointer
      do {
        decoded = try inflater.next(&rest)
      } catch {
        throw Self.malformed
      }
      if decoded.isEmpty, rest.isEmpty { break }
      hasReader = try take(decoded, limit: limit) || hasReader
    }
    repeated -= skipped
    return (true, hasReader)
  }

  static let malformed = TransportError.malformedResponse(reason: "the response body cannot be decompressed")
  static let cutOff = TransportError.connection(.lost, detail: "the compressed response body was cut off")
  static let openEnd = TransportError.malformedResponse(reason: "the response does not say where its body ends")

  private mutating func take(_ bytes: UnsafeRawBufferPointer, limit: Int) throws(TransportError) -> Bool {
    guard bytes.count <= limit - received else { throw .tooLarge(.body, limit: limit) }
    received += bytes.count
    if let channel { return channel.accept(bytes) }
    // A body that arrives at once needs no more room than its bytes.
    if whole.isEmpty, bytes.count < expected { whole.reserveCapacity(expected) }
    whole.append(contentsOf: bytes)
    return false
  }
}
#endif
