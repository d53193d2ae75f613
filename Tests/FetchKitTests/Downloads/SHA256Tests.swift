import Foundation
import Testing

@testable import FetchKit

@Suite struct SHA256Tests {
  static let vectors: [(String, String)] = [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
    ),
  ]

  @Test(arguments: vectors) func `the vectors of the standard hold`(message: String, expected: String) {
    #expect(DownloadDigest(bytes: SHA256.digest(of: Array(message.utf8)))?.description == expected)
  }

  @Test func `a million letters in pieces of every size`() {
    let block = [UInt8](repeating: 0x61, count: 1000)
    var hash = SHA256()
    for _ in 0..<1000 { hash.update(block) }
    let digest = DownloadDigest(bytes: hash.finish())
    #expect(digest == DownloadDigest(hex: "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"))
  }

  @Test func `pieces make no difference`() {
    let bytes = (0..<300).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    for length in 0...bytes.count {
      let whole = SHA256.digest(of: Array(bytes.prefix(length)))
      for cut in [0, 1, 55, 56, 63, 64, 65, 128] where cut <= length {
        var hash = SHA256()
        hash.update(Array(bytes[..<cut]))
        hash.update(Array(bytes[cut..<length]))
        #expect(hash.finish() == whole, "length \(length), cut at \(cut)")
      }
    }
  }

  @Test func `a digest is read from hexadecimal digits and nothing else`() {
    let text = String(repeating: "0aF9", count: 16)
    #expect(DownloadDigest(hex: text)?.description == text.lowercased())
    #expect(DownloadDigest(hex: String(text.dropLast())) == nil)
    #expect(DownloadDigest(hex: String(text.dropLast()) + "g") == nil)
    #expect(DownloadDigest(hex: "") == nil)
    #expect(DownloadDigest(bytes: [1, 2, 3]) == nil)
  }
}
