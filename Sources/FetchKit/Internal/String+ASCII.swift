extension StringProtocol {
  /// Whether both strings are equal, ignoring only the case of `A`–`Z`.
  package func equalsIgnoringASCIICase(_ other: some StringProtocol) -> Bool {
    let left = utf8
    let right = other.utf8
    return left.count == right.count && left.elementsEqual(right) { $0.asciiLowercase == $1.asciiLowercase }
  }
}

extension String {
  /// Whether the string contains the byte.
  func contains(byte: UInt8) -> Bool {
    utf8.withContiguousStorageIfAvailable { $0.contains(byte) } ?? utf8.contains(byte)  // faster than by indices
  }
}

extension UInt8 {
  package var asciiLowercase: UInt8 {
    (0x41...0x5A).contains(self) ? self | 0x20 : self
  }

  /// Whether the byte is allowed in a token: a method or a header field name (RFC 9110 §5.6.2).
  package var isHTTPTokenByte: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "!#$%&'*+-.^_`|~".utf8.contains(self)
    }
  }
}
