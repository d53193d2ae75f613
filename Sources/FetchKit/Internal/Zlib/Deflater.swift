internal import CLarderZlib
internal import Foundation

/// Compresses a body with the content coding gzip (RFC 9110 §8.4.1.3), or the messages of a WebSocket (RFC 7692).
///
/// `next(_:flush:)` is the only method that uses the pointers. Both are allocated by the initializer, where zlib needs
/// its stream to stay, and freed with the last reference. zlib only reads from the input, although its type is mutable.
final class Deflater {
  private static let outputSize = 64 << 10

  private let stream: UnsafeMutablePointer<z_stream>
  private let output: UnsafeMutableRawBufferPointer

  enum Format {
    case gzip
    /// Without header and checksum, with a window of 2⁹ to 2¹⁵ bytes.
    case raw(windowBits: Int32)
  }

  /// How much of the output is due after an input.
  enum Flush {
    case none
    /// All, at a byte boundary.
    case block
    case end
  }

  init(_ format: Format = .gzip) {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    output = .allocate(byteCount: Self.outputSize, alignment: 1)
    // There is no other reason, because the parameters are constants.
    let windowBits: Int32 = if case .raw(let bits) = format { -bits } else { 31 }
    guard czlib_deflate_init(stream, windowBits) == Z_OK else { fatalError("out of memory") }
  }

  deinit {
    deflateEnd(stream)
    stream.deallocate()
    output.deallocate()
  }

  /// Forgets what was compressed before.
  func reset() { deflateReset(stream) }

  /// Compresses the next bytes.
  func next(_ input: some ContiguousBytes, flush: Flush) -> Data {
    let last =
      switch flush {
      case .none: Z_NO_FLUSH
      case .block: Z_SYNC_FLUSH
      case .end: Z_FINISH
      }
    return input.withUnsafeBytes { bytes in
      var rest = bytes
      var result = Data()
      repeat {
        let available = min(rest.count, Int(Int32.max))
        stream.pointee.next_in = UnsafeMutablePointer(mutating: rest.baseAddress?.assumingMemoryBound(to: Bytef.self))
        stream.pointee.avail_in = uInt(available)
        stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: Bytef.self)
        stream.pointee.avail_out = uInt(output.count)
        _ = deflate(stream, available == rest.count ? last : Z_NO_FLUSH)
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(available - Int(stream.pointee.avail_in)))
        result.append(contentsOf: output.prefix(output.count - Int(stream.pointee.avail_out)))
      } while !rest.isEmpty || stream.pointee.avail_out == 0
      return result
    }
  }
}
