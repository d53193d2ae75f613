/// The SHA-256 digest (FIPS 180-4) that a downloaded file must have.
///
/// ```swift
/// let digest = DownloadDigest(
///   hex: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
/// ```
public struct DownloadDigest: Hashable, Sendable, CustomStringConvertible {
  private static let byteCount = 32

  /// The 32 bytes of the digest.
  public let bytes: [UInt8]

  /// Creates a digest from 32 bytes, or returns nil if the collection has a different length.
  public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == Self.byteCount else { return nil }
    self.bytes = Array(bytes)
  }

  /// Creates a digest from 64 hexadecimal digits, or returns nil for any other string. The digits can be uppercase or
  /// lowercase.
  public init?(hex: String) {
    let digits = hex.utf8.compactMap { byte -> UInt8? in
      switch byte {
      case 0x30...0x39: byte - 0x30
      case 0x41...0x46: byte - 0x37
      case 0x61...0x66: byte - 0x57
      default: nil
      }
    }
    guard digits.count == hex.utf8.count, digits.count == Self.byteCount * 2 else { return nil }
    bytes = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  /// The digest as 64 lowercase hexadecimal digits.
  public var description: String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
