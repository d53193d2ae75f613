/// A single byte range of a request, within a body of known length (RFC 9110 §14.1.2).
struct ByteRange: Equatable {
  let bytes: Range<Int>
  let count: Int

  /// Nil if the field is not a range, has several ranges or is out of bounds. The server answers those requests.
  init?(_ field: String, count: Int) {
    guard field.hasPrefix("bytes=") else { return nil }
    let parts = field.dropFirst(6).split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    let first = Self.number(parts[0])
    let last = Self.number(parts[1])
    guard first != nil || parts[0].isEmpty, last != nil || parts[1].isEmpty else { return nil }
    let range: Range<Int>
    switch (first, last) {
    case (let first?, let last):
      guard first < count, first <= last ?? first else { return nil }
      range = first..<(min(last ?? count, count - 1) + 1)
    case (nil, let length?):
      guard length > 0, count > 0 else { return nil }
      range = (count - min(length, count))..<count
    case (nil, nil): return nil
    }
    bytes = range
    self.count = count
  }

  /// The value of `Content-Range`.
  var contentRange: String { "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/\(count)" }

  private static func number(_ digits: Substring) -> Int? {
    digits.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(digits) : nil
  }
}
