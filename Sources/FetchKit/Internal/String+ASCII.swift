extension StringProtocol {
  /// Whether both are equal when `A`–`Z` and `a`–`z` count as the same and nothing else does.
  package func equalsIgnoringASCIICase(_ other: some StringProtocol) -> Bool {
    let left = utf8
    let right = other.utf8
    return left.count == right.count && left.elementsEqual(right) { $0.asciiLowercase == $1.asciiLowercase }
  }
}

extension String {
  /// Whether the byte occurs in the text.
  func contains(byte: UInt8) -> Bool {
    utf8.withContiguousStorageIfAvailable { $0.contains(byte) } ?? utf8.contains(byte)  // quicker than by indices
  }
}

extension UInt8 {
  package var asciiLowercase: UInt8 {
    (0x41...0x5A).contains(self) ? self | 0x20 : self
  }

  /// Whether the byte may stand in a token: a method or a header's name (RFC 9110 §5.6.2).
  package var isHTTPTokenByte: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "!#$%&'*+-.^_`|~".utf8.contains(self)
    }
  }
}
