/// A string that is compared byte by byte, such as the name of a member.
///
/// Swift's `String` treats strings as equal if they are canonically equivalent (é in one or two scalars); JSON does
/// not.
struct ByteString: Hashable, Sendable {
  let text: String
  let utf8: [UInt8]

  init(_ text: String) {
    self.text = text
    utf8 = Array(text.utf8)
  }

  /// Creates a string from bytes that may contain unpaired surrogates, which `text` shows as U+FFFD.
  init(unescaped bytes: [UInt8]) {
    text = String(decoding: bytes, as: UTF8.self)
    utf8 = bytes
  }

  static func == (left: ByteString, right: ByteString) -> Bool { left.utf8 == right.utf8 }

  func hash(into hasher: inout Hasher) { hasher.combine(utf8) }
}

extension String {
  /// Calls a closure with a view of the bytes in UTF-8.
  @inline(__always)
  func withByteView<Result>(_ body: (ByteView) throws -> Result) rethrows -> Result {
    var text = self
    return try text.withUTF8 { try body(ByteView(UnsafeRawBufferPointer($0))) }
  }

  /// Whether both have the same bytes.
  func hasSameBytes(as other: String) -> Bool {
    guard self == other else { return false }
    return withByteView { mine in
      other.withByteView { theirs in mine.count == theirs.count && mine.matches(0, theirs) }
    }
  }
}
