internal import Foundation

extension ByteWriter {
  /// Writes all digits of a decimal that is not NaN, without an exponent.
  func append(_ decimal: Decimal) {
    guard let shift = Decimal.wordCountShift else { return append(ascii: decimal.description) }
    let significand = decimal.integerSignificand(shift)
    let exponent = significand == 0 ? 0 : decimal.exponent
    write(room: 48 + Int(exponent.magnitude)) { output in
      // From the last digit on.
      var count = max(exponent, 0)
      output.update(repeating: ASCII.zero, count: count)
      var position = min(exponent, 0)
      func append(_ digit: UInt8) {
        output[count] = ASCII.zero + digit
        count += 1
        position += 1
        guard position == 0 else { return }
        output[count] = ASCII.dot
        count += 1
      }
      var high = significand
      while high > UInt64.max {
        let (rest, digit) = high.quotientAndRemainder(dividingBy: 10)
        append(UInt8(truncatingIfNeeded: digit))
        high = rest
      }
      var low = UInt64(truncatingIfNeeded: high)
      repeat {
        let (rest, digit) = low.quotientAndRemainder(dividingBy: 10)
        append(UInt8(truncatingIfNeeded: digit))
        low = rest
      } while low > 0 || position <= 0
      if decimal.isSignMinus, significand > 0 {
        output[count] = ASCII.minus
        count += 1
      }
      var digits = UnsafeMutableBufferPointer(start: output, count: count)
      digits.reverse()
      return count
    }
  }
}

extension Decimal {
  /// Returns the digits as an integer. Foundation has no method for it, and its `description` takes a microsecond.
  ///
  /// The first four bytes are the exponent, the number of 16-bit words in a half of a byte, and flags. The rest are the
  /// words, of which unused ones can have any value.
  fileprivate func integerSignificand(_ shift: UInt8) -> UInt128 {
    withUnsafeBytes(of: self) { bytes in
      let unused = 8 - min(bytes[1] >> shift & 0xF, 8)
      let low = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt64.self))
      let high = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 12, as: UInt64.self))
      return (UInt128(high) << 64 | UInt128(low)) & (UInt128.max >> (16 * UInt128(unused)))
    }
  }

  /// Which half of the byte is the number of words: it depends on the platform. Nil for an unknown layout.
  fileprivate static let wordCountShift: UInt8? =
    MemoryLayout<Decimal>.size != 20
    ? nil
    : [4, 0].first { shift in
      Decimal(7).integerSignificand(shift) == 7
        && Decimal(string: "-1234567890123456789012345.5")?.integerSignificand(shift)
          == 12_345_678_901_234_567_890_123_455
    }
}
