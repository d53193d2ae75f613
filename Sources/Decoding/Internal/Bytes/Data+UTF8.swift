internal import Foundation

extension Data {
  /// The text as UTF-8 without a byte order mark: the same bytes, or converted from UTF-16 or UTF-32.
  ///
  /// The encoding is detected by the mark, or by which of the first bytes are zero (RFC 4627 §3). Text that cannot be
  /// converted is returned unchanged, and is rejected when it is read.
  var asUTF8: Data {
    let head = Array(prefix(4))
    if head.starts(with: [0xEF, 0xBB, 0xBF]) { return dropFirst(3) }
    guard let (encoding, mark) = Self.wideEncoding(of: head) else { return self }
    return String(data: dropFirst(mark), encoding: encoding).map { Data($0.utf8) } ?? self
  }

  private static func wideEncoding(of head: [UInt8]) -> (String.Encoding, mark: Int)? {
    if head == [0x00, 0x00, 0xFE, 0xFF] { return (.utf32BigEndian, 4) }
    if head == [0xFF, 0xFE, 0x00, 0x00] { return (.utf32LittleEndian, 4) }
    if head.starts(with: [0xFE, 0xFF]) { return (.utf16BigEndian, 2) }
    if head.starts(with: [0xFF, 0xFE]) { return (.utf16LittleEndian, 2) }
    switch head.map({ $0 == 0 }) {
    case [true, true, true, false]: return (.utf32BigEndian, 0)
    case [false, true, true, true]: return (.utf32LittleEndian, 0)
    case [true, false, true, false], [true, false]: return (.utf16BigEndian, 0)
    case [false, true, false, true], [false, true]: return (.utf16LittleEndian, 0)
    // One wide character followed by a scalar beyond the basic plane, or by one that is not ASCII.
    case [true, false, false, false]: return (.utf16BigEndian, 0)
    case [false, true, false, false]: return (.utf16LittleEndian, 0)
    default: return nil
    }
  }
}
