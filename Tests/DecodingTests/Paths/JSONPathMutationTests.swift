import Decoding
import LarderTestSupport
import Testing

/// Texts put together at random from what paths are made of: whatever they are, parsing ends, and tells the truth.
@Suite struct JSONPathMutationTests {
  static let pieces = [
    "$", "@", ".", "..", "[", "]", "(", ")", "?", "*", ",", ":", "!", "&&", "||", "==", "!=", "<", "<=", ">", ">=", "'",
    "\"", "\\", "\\u",
    "D834", "a", "b.c", "é", "𝄞", "0", "-1", "01", "1.5", "1e9", "9007199254740993", "true", "null", "length(",
    "count(", "match(",
    "value(", "search(", " ", "\n", "\u{0}", "'x'", "[0]", "[*]", "[?@.a==1]", "[?@.a]", "[1:2:3]",
  ]

  @Test(arguments: 0..<8 as Range<UInt64>)
  func `a mutated path either prints and parses alike or has an error position within it`(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    var paths = 0
    for _ in 0..<2000 {
      let count = Int.random(in: 1...12, using: &random)
      let text = (0..<count).map { _ in Self.pieces.randomElement(using: &random) ?? "" }.joined()
      do throws(JSONPathError) {
        let path = try JSONPath(parsing: text)
        paths += 1
        #expect(try JSONPath(parsing: path.description) == path, "seed \(seed): \(text)")
        if let pointer = path.pointer {
          #expect(try JSONPath(pointer: pointer).pointer == pointer, "seed \(seed): \(text)")
        }
      } catch {
        #expect((1...text.unicodeScalars.count + 1).contains(error.column), "seed \(seed): \(text)")
        #expect(error.path == text && !error.reason.isEmpty)
      }
    }
    #expect(paths > 20, "seed \(seed)")
  }
}
