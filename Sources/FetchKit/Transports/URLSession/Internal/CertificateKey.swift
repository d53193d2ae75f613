internal import Foundation

/// Finds the public key of an X.509 certificate (RFC 5280 §4.1), for the comparison with pinned keys.
///
/// The digest covers the bytes of the certificate itself. RFC 7469 and libcurl digest the same bytes, regardless of the
/// key's kind and size, so no header has to be assembled for each kind.
enum CertificateKey {
  /// Returns the SHA-256 of the DER-encoded SubjectPublicKeyInfo as lowercase hexadecimal digits; nil if the bytes are
  /// not a certificate.
  static func digest(ofCertificate der: some Collection<UInt8>) -> String? {
    subjectPublicKeyInfo(of: Array(der)).map { SHA256.hexDigest(of: $0) }
  }

  private static func subjectPublicKeyInfo(of bytes: [UInt8]) -> ArraySlice<UInt8>? {
    var outside = DERReader(bytes[...])
    guard let certificate = outside.element(tagged: DERReader.sequence), outside.isAtEnd else { return nil }
    var parts = DERReader(certificate.content)
    guard let signed = parts.element(tagged: DERReader.sequence) else { return nil }
    var fields = DERReader(signed.content)
    // The version, which version 1 certificates omit.
    if fields.nextTag == 0xA0, fields.element(tagged: 0xA0) == nil { return nil }
    // The serial number; then the signature's algorithm, the issuer, the validity and the subject.
    guard fields.element(tagged: DERReader.integer) != nil else { return nil }
    for _ in 0..<4 where fields.element(tagged: DERReader.sequence) == nil { return nil }
    guard let key = fields.element(tagged: DERReader.sequence) else { return nil }
    // The algorithm and the bits of the key.
    var inside = DERReader(key.content)
    guard inside.element(tagged: DERReader.sequence) != nil, inside.element(tagged: DERReader.bitString) != nil,
      inside.isAtEnd
    else { return nil }
    return key.whole
  }
}

/// Reads elements in DER (X.690) one after the other. Anything that is not DER ends the reading.
struct DERReader {
  static let integer: UInt8 = 0x02
  static let bitString: UInt8 = 0x03
  static let sequence: UInt8 = 0x30

  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) {
    rest = bytes
  }

  var isAtEnd: Bool { rest.isEmpty }
  var nextTag: UInt8? { rest.first }

  /// Returns the next element, with and without its tag and length; nil if it has another tag or does not fit.
  mutating func element(tagged tag: UInt8) -> (whole: ArraySlice<UInt8>, content: ArraySlice<UInt8>)? {
    guard rest.first == tag else { return nil }
    var unread = rest.dropFirst()
    guard let first = unread.popFirst() else { return nil }
    var length = Int(first)
    if first >= 0x80 {
      // Four bytes are 4 GiB; no certificate is longer. 0x80 is BER's indefinite length.
      let count = Int(first & 0x7F)
      guard (1...4).contains(count), unread.count >= count else { return nil }
      length = unread.prefix(count).reduce(0) { $0 << 8 | Int($1) }
      // DER has one form for a length: the shortest.
      guard length >= 0x80, count == 1 || length >> (8 * (count - 1)) > 0 else { return nil }
      unread = unread.dropFirst(count)
    }
    guard unread.count >= length else { return nil }
    let content = unread.prefix(length)
    defer { rest = rest[content.endIndex...] }
    return (rest[rest.startIndex..<content.endIndex], content)
  }
}
