import Testing

@testable import Decoding

@Suite struct IRegexpTests {
  func matches(_ pattern: String, _ text: String, anywhere: Bool = false, limit: Int = 10_000_000) throws -> Bool {
    var meter = WorkMeter(limit: limit)
    return try IRegexp(Array(pattern.utf8)).matches(Array(text.utf8), anywhere: anywhere, &meter)
  }

  @Test(arguments: [
    ("", "", true), ("", "a", false), ("a", "a", true), ("a", "b", false), ("a|b", "b", true), ("a|", "", true),
    ("ab*c", "abbbc", true), ("ab*c", "ac", true), ("ab+c", "ac", false), ("ab?c", "abbc", false),
    ("(ab)+", "abab", true),
    ("(ab)+", "aba", false), ("a{2}", "aa", true), ("a{2}", "aaa", false), ("a{2,}", "aaaa", true),
    ("a{2,}", "a", false),
    ("a{2,3}", "aaaa", false), ("a{0}", "", true), ("a{0,0}b", "b", true), ("(a|b){2,3}c", "abac", true),
    (".", "\n", false), (".", "\r", false), (".", "\u{2028}", true), (".", "𝄞", true), ("..", "𝄞", false),
    ("[a-c]", "b", true), ("[^a-c]", "b", false), ("[^a-c]", "\n", true), ("[-a]", "-", true), ("[a-]", "-", true),
    ("[^-]", "-", false), ("[a\\-c]", "-", true), ("[\\]]", "]", true), ("[.]", "x", false),
    ("[a-cx-z]+", "abxz", true),
    ("\\n", "\n", true), ("\\.", "x", false), ("\\(\\)", "()", true), ("\\p{Lu}", "É", true), ("\\p{Lu}", "é", false),
    ("\\P{Lu}", "é", true), ("\\p{L}+", "aÉあ", true), ("[\\p{Nd}_]+", "1٣_", true), ("[^\\p{L}]", "1", true),
    ("\\p{Sc}", "€", true), ("^a$", "a", true), ("a^b", "ab", false), ("(^a|b)c$", "bc", true), ("$", "", true),
    ("()*", "", true), ("(a*)*", "aaa", true), ("(a|a)*b", "aaab", true), ("größe", "größe", true),
  ])
  func `an I-Regexp matches a whole string as expected`(pattern: String, text: String, fits: Bool) throws {
    #expect(try matches(pattern, text) == fits, "\(pattern) \(text)")
  }

  @Test(arguments: [
    ("b", "abc", true), ("d", "abc", false), ("^b", "abc", false), ("^a", "abc", true), ("c$", "abc", true),
    ("b$", "abc", false), ("", "abc", true), ("$", "abc", true), ("x|$", "abc", true), ("^x|$", "ab", true),
    ("a.c", "xxabcxx", true), ("^$", "", true), ("^$", "a", false),
    ("(^|b)c", "abc", true),
  ])
  func `an I-Regexp finds a match within a string as expected`(pattern: String, text: String, fits: Bool) throws {
    #expect(try matches(pattern, text, anywhere: true) == fits, "\(pattern) \(text)")
  }

  @Test(arguments: [
    "(", ")", "a)", "[", "]", "[]", "[^]", "[a", "[z-a]", "[a-b-c]", "a**", "*", "+a", "?", "{1}", "a{", "a{}", "a{,2}",
    "a{2,1}", "a{1", "}", "\\", "\\d", "\\w", "\\b", "\\p", "\\p{", "\\p{X}", "\\p{Lx}", "\\p{Latin}", "[\\d]", "(?:a)",
    "a{1}{2}", "[[a]]",
  ])
  func `syntax outside RFC 9485 is a malformed expression`(pattern: String) {
    #expect(throws: RegexpError.malformed) { _ = try IRegexp(Array(pattern.utf8)) }
  }

  @Test(arguments: [
    "a{10001}", "(a{1000}){1000}", "((((a{99}){99}){99}){99}){99}", "((((){9999}){9999}a){9999}){2}",
    "a{99999999999999999999}",
    String(repeating: "(", count: 1000), String(repeating: "a", count: 20_000),
  ])
  func `an expression that expands too far or nests too deeply is refused immediately`(pattern: String) {
    // A compiled expression is not printed when this fails: it would fill the screen.
    #expect(throws: RegexpError.tooLarge) { _ = try IRegexp(Array(pattern.utf8)) }
  }

  @Test(arguments: ["(a*)*b", "(a|aa)+b", "(.*)*x", "(a+)+$", "(a|a|a|a)*b"])
  func `matching never backtracks, whatever the expression`(pattern: String) throws {
    // The work is counted, so that no clock decides: at most the program's length for each of the 10 000 characters.
    #expect(try !matches(pattern, String(repeating: "a", count: 10_000) + "!", limit: 50 * 10_000 * WorkMeter.state))
  }

  @Test func `a match stops at the work limit`() {
    #expect(throws: EvaluationError.self) {
      try matches("(a|b|c)*", String(repeating: "a", count: 1000), limit: 1000)
    }
  }

  @Test(arguments: [
    "[a-fä-öz]", "[^a-fä-öz]", "[mä-ök-z]", "[\\p{Lu}0-9]", "[^\\p{L}\\P{N}]", "\\P{Ll}", "\\p{N}",
    "[z-zy-yx-x]",
  ])
  func `a character class accepts exactly the characters of its parts`(pattern: String) throws {
    let reference = try Regex(pattern).matchingSemantics(.unicodeScalar)
    for value in UInt32(0)..<0x250 {
      guard let scalar = Unicode.Scalar(value), value != 0x85 else { continue }
      let text = String(Character(scalar))
      #expect(try matches(pattern, text) == (text.wholeMatch(of: reference) != nil), "\(pattern) \(value)")
    }
  }
}
