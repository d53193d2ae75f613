import Foundation
import LarderTestSupport
import Testing

@testable import Decoding

/// UTF-8 as the skipper sees it, beside the standard library.
@Suite struct TextSkippingTests {
  /// The end of the text, or where it is no UTF-8, found slowly.
  private func expected(_ bytes: [UInt8]) -> Int {
    let end = bytes.firstIndex { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C } ?? bytes.count
    let isValid = String(validating: bytes[..<end], as: UTF8.self) != nil
    if isValid { return end < bytes.count ? end : ~bytes.count }
    // The longest prefix that is text.
    var valid = end
    while String(validating: bytes[..<valid], as: UTF8.self) == nil { valid -= 1 }
    return ~valid
  }

  private func found(_ bytes: [UInt8]) -> (end: Int, wide: Bool) {
    bytes.withUnsafeBytes { buffer in
      var wide = false
      return (ByteView(buffer).skipText(0, &wide), wide)
    }
  }

  private func check(_ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) {
    let (end, wide) = found(bytes)
    let isRight = end == expected(bytes) && (end < 0 || wide == bytes[..<end].contains { $0 >= 0x80 })
    // A quarter of a million expectations would take a minute.
    if !isRight { Issue.record("\(bytes): \(end), \(wide)", sourceLocation: sourceLocation) }
  }

  /// Sequences of bytes where a rule changes, at the places where blocks meet.
  @Test func `UTF-8 boundary cases are skipped correctly where blocks meet`() {
    let edges: [UInt8] = [
      0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0,
      0xF1, 0xF3, 0xF4, 0xF5, 0xFF, 0x22,
    ]
    for place in [0, 13, 14, 15, 16] {
      for filler in [Array("abcdefgh".utf8), Array("éüßñ".utf8)] {
        var before = Array(repeating: filler, count: 8).flatMap(\.self)
        before.removeLast(before.count - place / 2 * 2)
        if place % 2 == 1 { before.append(0x78) }
        for first in edges {
          for second in edges {
            for third in [0x41, 0x7F, 0x80, 0xBF, 0xC2, 0xE1, 0xF1, 0x22] as [UInt8] {
              var bytes = before
              bytes += [first, second, third]
              bytes += filler
              bytes += filler
              bytes.append(0x22)
              check(bytes)
            }
          }
        }
      }
    }
  }

  /// A character of four bytes, its neighbours in the table of RFC 3629, and one that is cut.
  @Test func `the longest characters are skipped correctly where blocks meet`() {
    for place in 0..<36 {
      for first in [0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5] as [UInt8] {
        for second in [0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0] as [UInt8] {
          for rest in [[0x80, 0xBF], [0x80, 0x22], [0x22, 0x80], [0x80], []] as [[UInt8]] {
            let bytes = Array(repeating: 0x61, count: place) + [first, second] + rest
            check(bytes)
            check(bytes + Array(repeating: 0x61, count: 17) + [0x22])
            check([0xC3, 0xA9] + bytes + Array("é".utf8) + Array(repeating: 0x61, count: 32) + [0x22])
          }
        }
      }
    }
  }

  @Test func `random texts are skipped correctly, even with invalid bytes`() {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SplitMix(seed: seed)
    print("texts to skip: seed \(seed)")
    let pieces = ["a", "plain words ", "é", "ßü", "кот", "写真", "한글", "ไทย", "😀", "\u{10FFFF}", "\u{7FF}", "\u{800}"].map
    { Array($0.utf8) }
    for _ in 0..<40_000 {
      var bytes: [UInt8] = []
      let few = Int.random(in: 1...pieces.count, using: &random)
      for _ in 0..<Int.random(in: 0..<30, using: &random) { bytes += pieces[Int.random(in: 0..<few, using: &random)] }
      if Bool.random(using: &random) { bytes += [[0x22], [0x5C], [0x0A]].randomElement(using: &random) ?? [] }
      if Bool.random(using: &random), !bytes.isEmpty {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
      }
      if Bool.random(using: &random) { bytes.removeLast(min(bytes.count, Int.random(in: 0..<4, using: &random))) }
      check(bytes)
    }
  }
}
