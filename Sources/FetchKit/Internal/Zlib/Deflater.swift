internal import CLarderZlib
internal import Foundation

/// Compresses a body with the content coding gzip (RFC 9110 §8.4.1.3).
///
/// `next(_:isLast:)` is the only method that uses the pointers. Both are allocated by the initializer, where zlib needs
/// its stream to stay, and freed with the last reference. zlib only reads from the input, although its type is mutable.
final class Deflater {
  private static let outputSize = 64 << 10

  private let stream: UnsafeMutablePointer<z_stream>
  private let output: UnsafeMutableRawBufferPointer

  init() {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    output = .allocate(byteCount: Self.outputSize, alignment: 1)
    // There is no other reason, because the parameters are constants.
    guard czlib_deflate_init(stream, 31) == Z_OK else { fatalError("out of memory") }
  }

  deinit {
    deflateEnd(stream)
    stream.deallocate()
    output.deallocate()
  }

  /// Compresses the next bytes.
  ///
  /// - Parameter isLast: Whether these are the last ones. Otherwise zlib may keep them back for a while.
  func next(_ input: Data, isLast: Bool) -> Data {
    input.withUnsafeBytes { bytes in
      var rest = bytes
      var result = Data()
      repeat {
        let available = min(rest.count, Int(Int32.max))
        stream.pointee.next_in = UnsafeMutablePointer(mutating: rest.baseAddress?.assumingMemoryBound(to: Bytef.self))
        stream.pointee.avail_in = uInt(available)
        stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: Bytef.self)
        stream.pointee.avail_out = uInt(output.count)
        _ = deflate(stream, isLast && available == rest.count ? Z_FINISH : Z_NO_FLUSH)
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(available - Int(stream.pointee.avail_in)))
        result.append(contentsOf: output.prefix(output.count - Int(stream.pointee.avail_out)))
      } while !rest.isEmpty || stream.pointee.avail_out == 0
      return result
    }
  }
}
