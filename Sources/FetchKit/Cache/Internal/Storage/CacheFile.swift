internal import Foundation

/// The file format of one entry.
///
///     "LDHC" | version, 4 bytes | length of metadata, 8 | length of body, 8 | hash of metadata, 8 | hash of body, 8
///     hash of those 40 bytes, 8 | metadata | body
///
/// All numbers are little-endian. Every byte is covered by a hash, so a corrupt, truncated or oversized file is treated
/// as missing.
enum CacheFile {
  struct Head {
    var metadataLength: Int
    var bodyLength: Int
    var metadataHash: UInt64
    var bodyHash: UInt64
  }

  static let headLength = 48
  private static let mark: [UInt8] = Array("LDHC".utf8) + [1, 0, 0, 0]
  private static let longest = 1 << 40

  /// Returns the bytes before the body.
  static func encoded(_ entry: CacheEntry, url: String, key: String) -> [UInt8] {
    let metadata = metadata(of: entry, url: url, key: key)
    var bytes = mark
    bytes.reserveCapacity(headLength + metadata.count)
    let body = entry.body
    bytes += UInt64(metadata.count).littleEndianBytes
    bytes += UInt64(body.count).littleEndianBytes
    bytes += metadata.withUnsafeBytes { XXH64.hash($0) }.littleEndianBytes
    bytes += body.withUnsafeBytes { XXH64.hash($0) }.littleEndianBytes
    bytes += bytes.withUnsafeBytes { XXH64.hash($0) }.littleEndianBytes
    return bytes + metadata
  }

  /// Nil unless ``encoded(_:url:key:)`` wrote the bytes for a file of that length.
  static func head(_ bytes: UnsafeRawBufferPointer, fileLength: Int) -> Head? {
    guard bytes.count >= headLength, bytes[..<8].elementsEqual(mark),
      XXH64.hash(UnsafeRawBufferPointer(rebasing: bytes[..<40])) == number(bytes, 40)
    else { return nil }
    let metadataLength = number(bytes, 8)
    let bodyLength = number(bytes, 16)
    guard metadataLength <= longest, bodyLength <= longest,
      headLength + Int(metadataLength) + Int(bodyLength) == fileLength
    else { return nil }
    return Head(
      metadataLength: Int(metadataLength), bodyLength: Int(bodyLength), metadataHash: number(bytes, 24),
      bodyHash: number(bytes, 32))
  }

  /// Nil if the metadata is corrupt or belongs to another entry.
  static func entry(metadata: Data, _ head: Head, body: Data, url: String, key: String) -> CacheEntry? {
    guard metadata.withUnsafeBytes({ XXH64.hash($0) }) == head.metadataHash,
      body.withUnsafeBytes({ XXH64.hash($0) }) == head.bodyHash
    else { return nil }
    var reader = BinaryReader(Array(metadata)[...])
    return try? entry(&reader, body, url: url, key: key)
  }

  private static func metadata(of entry: CacheEntry, url: String, key: String) -> [UInt8] {
    var writer = BinaryWriter()
    // A query may contain a secret, so only a digest of the URL is written, for verification.
    writer.write(SHA256.hexDigest(of: Data(url.utf8)), key)
    switch entry {
    case .varying(let names): writer.write(0, names)
    case .response(let stored):
      writer.write(1, stored.status, stored.version)
      writer.write(stored.requested.timeIntervalSince1970.bitPattern)
      writer.write(stored.freshness.received.timeIntervalSince1970.bitPattern, stored.headers)
    }
    return writer.bytes
  }

  private static func entry(
    _ reader: inout BinaryReader, _ body: Data, url: String, key: String
  ) throws(BinaryReader.Malformed) -> CacheEntry? {
    guard try reader.text() == SHA256.hexDigest(of: Data(url.utf8)), try reader.text() == key else { return nil }
    guard try reader.number() == 1 else {
      return .varying(try reader.list { reader throws(BinaryReader.Malformed) in try reader.text() })
    }
    let status = try reader.number()
    let version = try reader.optional { reader throws(BinaryReader.Malformed) in
      ResponseHead.Version(
        major: Int(truncatingIfNeeded: try reader.signed()), minor: Int(truncatingIfNeeded: try reader.signed()))
    }
    let requested = Double(bitPattern: try reader.number())
    let received = Double(bitPattern: try reader.number())
    let headers = try HTTPHeaders(from: &reader)
    guard status <= 999, requested.isFinite, received.isFinite else { return nil }
    return .response(
      StoredResponse(
        status: Int(status), version: version, headers: headers, body: body,
        requested: Date(timeIntervalSince1970: requested), received: Date(timeIntervalSince1970: received)))
  }

  private static func number(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }
}

extension CacheEntry {
  var body: Data {
    if case .response(let stored) = self { stored.body } else { Data() }
  }
}

extension ResponseHead.Version: BinaryWritable {
  func write(to writer: inout BinaryWriter) { writer.write(major, minor) }
}
