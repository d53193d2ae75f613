import Foundation
import LarderTestSupport
import Testing

@testable import FetchKit

@Suite struct CertificateKeyTests {
  /// A certificate with a key on the curve P-256, made by openssl, and the digest of its key by openssl.
  static let certificate =
    Data(
      base64Encoded: [
        "MIIBgTCCASegAwIBAgIUEHsRglXnboobpWf6fWZ/SHra+ycwCgYIKoZIzj0EAwIwFjEUMBIGA1UEAwwLcGluLmV4YW1wbGUwHhcN",
        "MjYxMTI1MDA0ODE2WhcNMzYxMTIyMDA0ODE2WjAWMRQwEgYDVQQDDAtwaW4uZXhhbXBsZTBZMBMGByqGSM49AgEGCCqGSM49AwEH",
        "A0IABHz2nJwndGpt+asvZ84Cej7hkr21qjrF+dG7FcIhbefl7Hp20m3k7MJxTHXrmuognLot6p2nqmYh+6r7rH0b4O2jUzBRMB0G",
        "A1UdDgQWBBSsSdEp1eXpmc7/gUwusLUKlOZkejAfBgNVHSMEGDAWgBSsSdEp1eXpmc7/gUwusLUKlOZkejAPBgNVHRMBAf8EBTAD",
        "AQH/MAoGCCqGSM49BAMCA0gAMEUCIGeg2dHc7Xxa4Udy45ZCOziJtdDp263Ycw7iXUwduRAdAiEAjXAaGejASdghnXQyx13fLZHz",
        "vsR5hYkeGveq80w50rs=",
      ].joined()) ?? Data()
  static let pin = "xRbSxtxDOd3h+GK2ybSTpbdBuh7dEIx8ka9a1rGueWo="

  static func hex(_ data: Data) -> String { data.map { String(format: "%02x", $0) }.joined() }

  @Test func `the digest of a certificate's key is the one that openssl computes`() throws {
    let digest = try #require(CertificateKey.digest(ofCertificate: Self.certificate))
    #expect(digest == Self.hex(try #require(Data(base64Encoded: Self.pin))))
    // The same from bytes that do not begin at index 0.
    #expect(CertificateKey.digest(ofCertificate: (Data([0]) + Self.certificate).dropFirst()) == digest)
  }

  #if os(Linux)
  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl"), "openssl is not installed"),
    arguments: [
      "rsa:2048", "rsa:3072", "rsa:4096", "ec -pkeyopt ec_paramgen_curve:P-256",
      "ec -pkeyopt ec_paramgen_curve:P-384", "ec -pkeyopt ec_paramgen_curve:P-521", "ed25519", "ed448",
      "rsa-pss -pkeyopt rsa_keygen_bits:2048",
    ])
  func `the digest of every kind of key is the one that openssl computes`(kind: String) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    // The second certificate has version 1, which leaves out the field of the version.
    try Shell.run(
      """
      set -e
      openssl req -x509 -newkey \(kind) -nodes -keyout key -days 2 -subj "/O=Ä/CN=a" -outform DER -out 3.der
      openssl req -new -key key -subj "/CN=a" -out request
      openssl x509 -req -in request -signkey key -days 2 -outform DER -out 1.der
      openssl pkey -in key -pubout -outform DER | openssl dgst -sha256 -binary -out digest
      """, in: folder)
    let digest = Self.hex(try Data(contentsOf: folder.appending(path: "digest")))
    for name in ["3.der", "1.der"] {
      let certificate = try Data(contentsOf: folder.appending(path: name))
      #expect(CertificateKey.digest(ofCertificate: certificate) == digest, "\(name)")
    }
  }
  #endif

  @Test func `no beginning of a certificate, and none with more bytes after it, has a key`() {
    for count in 0..<Self.certificate.count {
      #expect(CertificateKey.digest(ofCertificate: Self.certificate.prefix(count)) == nil, "\(count) bytes")
    }
    #expect(CertificateKey.digest(ofCertificate: Self.certificate + [0]) == nil)
  }

  @Test func `a changed bit gives no key or a different one, or is outside the key`() throws {
    let digest = CertificateKey.digest(ofCertificate: Self.certificate)
    let bytes = Array(Self.certificate)
    let key = try #require(bytes.indices.first { bytes[$0...].starts(with: [0x30, 0x59, 0x30, 0x13]) })
    for index in bytes.indices {
      for bit in 0..<8 {
        var changed = bytes
        changed[index] ^= 1 << bit
        let found = CertificateKey.digest(ofCertificate: changed)
        if (key..<key + 91).contains(index) { #expect(found != digest, "bit \(bit) of byte \(index)") }
      }
    }
  }

  @Test(
    arguments: [
      [], [0x30], [0x30, 0x80], [0x30, 0x80, 0, 0], [0x30, 0x81, 0x01, 0], [0x30, 0x82, 0, 0x80],
      [0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF], [0x30, 0x85, 1, 0, 0, 0, 0], [0x30, 0xFF], [0x30, 0x02, 0x30, 0x00],
    ] as [[UInt8]])
  func `bytes that are not DER have no key`(bytes: [UInt8]) {
    #expect(CertificateKey.digest(ofCertificate: bytes) == nil)
  }

  @Test func `an element in DER has its tag, the shortest form of its length, and all of its bytes`() throws {
    func content(_ head: [UInt8], _ count: Int) -> Int? {
      var reader = DERReader((head + [UInt8](repeating: 7, count: count))[...])
      return reader.element(tagged: DERReader.sequence)?.content.count
    }
    #expect(content([0x30, 0], 0) == 0 && content([0x30, 0x7F], 200) == 127)
    #expect(content([0x30, 0x81, 0x80], 128) == 128 && content([0x30, 0x82, 1, 0], 256) == 256)
    #expect(content([0x31, 1], 1) == nil)
    #expect(content([0x30, 2], 1) == nil && content([0x30, 0x82, 1, 0], 255) == nil)
    #expect(content([0x30, 0x81, 0x7F], 127) == nil && content([0x30, 0x82, 0, 0x80], 128) == nil)
    #expect(content([0x30, 0x80], 128) == nil)
  }
}
