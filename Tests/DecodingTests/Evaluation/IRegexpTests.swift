import Testing

@testable import Decoding

@Suite struct IRegexpTests {
  struct Stopped: Error {}

  func matches(_ pattern: String, _ text: String, anywhere: Bool = false, limit: Int = 1_000_000) throws -> Bool {
    let expression = try IRegexp(pattern.unicodeScalars.map(\.value))
    var work = 0
    return try expression.matches(text.unicodeScalars.map(\.value), anywhere: anywhere) { amount in
      work += amount
      if work > limit { throw Stopped() }
    }
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
  func `the whole text fits or does not`(pattern: String, text: String, fits: Bool) throws {
    #expect(try matches(pattern, text) == fits, "\(pattern) \(text)")
  }

  @Test(arguments: [
    ("b", "abc", true), ("d", "abc", false), ("^b", "abc", false), ("^a", "abc", true), ("c$", "abc", true),
    ("b$", "abc", false), ("", "abc", true), ("$", "abc", true), ("x|$", "abc", true), ("^x|$", "ab", true),
    ("a.c", "xxabcxx", true), ("^$", "", true), ("^$", "a", false),
    ("(^|b)c", "abc", true),
  ])
  func `some part of the text fits or does not`(pattern: String, text: String, fits: Bool) throws {
    #expect(try matches(pattern, text, anywhere: true) == fits, "\(pattern) \(text)")
  }

  @Test(arguments: [
    "(", ")", "a)", "[", "]", "[]", "[^]", "[a", "[z-a]", "[a-b-c]", "a**", "*", "+a", "?", "{1}", "a{", "a{}", "a{,2}",
    "a{2,1}", "a{1", "}", "\\", "\\d", "\\w", "\\b", "\\p", "\\p{", "\\p{X}", "\\p{Lx}", "\\p{Latin}", "[\\d]", "(?:a)",
    "a{1}{2}", "[[a]]",
  ])
  func `what RFC 9485 does not have is malformed`(pattern: String) {
    #expect(throws: RegexpError.malformed) { _ = try IRegexp(pattern.unicodeScalars.map(\.value)) }
  }

  @Test(arguments: [
    "a{10001}", "(a{1000}){1000}", "((((a{99}){99}){99}){99}){99}", "((((){9999}){9999}a){9999}){2}",
    "a{99999999999999999999}",
    String(repeating: "(", count: 1000), String(repeating: "a", count: 20_000),
  ])
  func `what expands too far or nests too deeply is refused at once`(pattern: String) {
    // A compiled expression is not printed when this fails: it would fill the screen.
    #expect(throws: RegexpError.tooLarge) { _ = try IRegexp(pattern.unicodeScalars.map(\.value)) }
  }

  @Test(arguments: ["(a*)*b", "(a|aa)+b", "(.*)*x", "(a+)+$", "(a|a|a|a)*b"])
  func `nothing is tried twice, however the expression is built`(pattern: String) throws {
    // The work is counted, so that no clock decides: at most the program's length for each of the 10 000 characters.
    #expect(try !matches(pattern, String(repeating: "a", count: 10_000) + "!", limit: 500_000))
  }

  @Test func `the caller can stop a match`() {
    #expect(throws: Stopped.self) { try matches("(a|b|c)*", String(repeating: "a", count: 1000), limit: 100) }
  }
}
