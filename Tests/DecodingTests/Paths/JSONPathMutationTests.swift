import Decoding
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

  /// A generator whose numbers follow from its seed, which is all that a failure needs to be seen again.
  struct Generator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }

  @Test(arguments: 0..<8 as Range<UInt64>)
  func `a mutated path either prints and parses alike or has an error position within it`(seed: UInt64) throws {
    var random = Generator(state: seed)
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
