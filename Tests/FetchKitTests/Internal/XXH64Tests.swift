import Foundation
import Testing

@testable import FetchKit

@Suite struct XXH64Tests {
  // Published results of the algorithm.
  @Test(
    arguments: [
      ("", 0xEF46_DB37_51D8_E999), ("a", 0xD24E_C4F1_A98C_6E5B), ("abc", 0x44BC_2CF5_AD77_0999),
      ("Nobody inspects the spammish repetition", 0xFBCE_A83C_8A37_8BF1),
    ] as [(String, UInt64)])
  func `XXH64 of a text is its published hash`(text: String, expected: UInt64) {
    #expect(Array(text.utf8).withUnsafeBytes { XXH64.hash($0) } == expected)
  }

  @Test func `XXH64 depends on every bit, at every length`() {
    for length in [1, 3, 4, 7, 8, 15, 31, 32, 33, 64, 100] {
      let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 37) }
      var hashes: Set<UInt64> = [bytes.withUnsafeBytes { XXH64.hash($0) }]
      for bit in 0..<length * 8 {
        var changed = bytes
        changed[bit / 8] ^= 1 << (bit % 8)
        hashes.insert(changed.withUnsafeBytes { XXH64.hash($0) })
      }
      #expect(hashes.count == length * 8 + 1)
    }
  }
}
