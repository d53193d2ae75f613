internal import CLarderZlib

/// Decompresses a body with the content coding gzip or deflate (RFC 9110 §8.4.1), and knows whether it was whole; or
/// the messages of a WebSocket (RFC 7692).
///
/// zlib checks the length and the checksum at the end. Several gzip members are one body (RFC 1952 §2.2). As in
/// browsers, deflate may lack the zlib header and checksum.
///
/// `next(_:)` is the only method that uses the pointers. Both are allocated by the initializer, where zlib needs its
/// stream to stay, and freed with the last reference. zlib only reads from the input, although its type is mutable.
final class Inflater {
  enum Coding {
    case gzip
    case deflate
    /// Without header and checksum. Blocks follow each other without an end.
    case raw

    /// Nil for any other content coding.
    init?(_ name: String) {
      switch name {
      case "gzip", "x-gzip": self = .gzip
      case "deflate": self = .deflate
      default: return nil
      }
    }
  }

  struct Malformed: Error {}

  private enum Phase {
    case unused
    case running
    /// The compressed data has ended. Only another gzip member may follow.
    case ended
  }

  private static let outputSize = 64 << 10

  private let coding: Coding
  private let stream: UnsafeMutablePointer<z_stream>
  private let output: UnsafeMutableRawBufferPointer
  private var phase = Phase.unused

  init(_ coding: Coding) {
    self.coding = coding
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    output = .allocate(byteCount: Self.outputSize, alignment: 1)
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
    output.deallocate()
  }

  /// Whether the compressed data has begun and not ended.
  var isRunning: Bool { phase == .running }
  /// Whether the compressed data has ended, at least up to another gzip member.
  var hasEnded: Bool { phase == .ended }

  /// Decompresses bytes from the front of `input`, which it removes from there.
  ///
  /// - Returns: At most 64 KB, valid until the next call. When `input` is empty and this is too, nothing is left.
  func next(_ input: inout UnsafeRawBufferPointer) throws(Malformed) -> UnsafeRawBufferPointer {
    if phase != .running {
      guard let first = input.first else { return UnsafeRawBufferPointer(start: nil, count: 0) }
      try begin(first)
    }
    let available = min(input.count, Int(Int32.max))
    stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress?.assumingMemoryBound(to: Bytef.self))
    stream.pointee.avail_in = uInt(available)
    stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: Bytef.self)
    stream.pointee.avail_out = uInt(output.count)
    switch inflate(stream, Z_NO_FLUSH) {
    case Z_OK, Z_BUF_ERROR: break  // the latter if there is nothing to do
    case Z_STREAM_END: phase = .ended
    default: throw Malformed()
    }
    let used = available - Int(stream.pointee.avail_in)
    input = UnsafeRawBufferPointer(rebasing: input.dropFirst(used))
    return UnsafeRawBufferPointer(rebasing: output.prefix(output.count - Int(stream.pointee.avail_out)))
  }

  /// Whether the last block is whole.
  var isBetweenBlocks: Bool { phase != .running || stream.pointee.data_type & 128 != 0 }

  /// Forgets what was decompressed before.
  func reset() { if phase != .unused, inflateReset(stream) == Z_OK { phase = .running } }

  private func begin(_ first: UInt8) throws(Malformed) {
    let code: Int32
    switch (coding, phase) {
    case (.gzip, .ended): code = inflateReset(stream)
    case (.raw, .ended): code = inflateResetKeep(stream)  // with what the next message can refer to
    case (.raw, _): code = czlib_inflate_init(stream, -15)
    case (.gzip, _): code = czlib_inflate_init(stream, 31)
    case (.deflate, .ended): throw Malformed()
    // The method and window of a zlib header (RFC 1950 §2.2), with which no encoder's raw deflate begins.
    case (.deflate, _): code = czlib_inflate_init(stream, first & 0x8F == 8 ? 15 : -15)
    }
    guard code == Z_OK else { throw Malformed() }
    phase = .running
  }
}
