import Foundation
import Testing

@testable import Persistence

@Suite struct TextMatchTests {
  @Test func `folding removes case and diacritics`() {
    let pairs = [
      ("Café", "cafe"), ("CAFE\u{301}", "cafe"), ("Straße", "strasse"), ("ΣΊΣΥΦΟΣ", "σισυφοσ"),
      ("İstanbul", "istanbul"),
      ("Ёлка", "елка"), ("ﬁn", "fin"), ("ÅNGSTRÖM", "angstrom"), ("🎬 A", "🎬 a"), ("", ""),
      ("Việt Nam", "viet nam"), ("\u{0}A", "\u{0}a"),
    ]
    for (text, folded) in pairs { #expect(text.folded == folded) }
  }

  @Test func `folding keeps marks that make a different letter`() {
    #expect("が".folded != "か".folded)
    #expect("कि".folded != "क".folded)
    #expect("한".folded == "한")
  }

  @Test func `folding a folded character changes nothing`() {
    for value in UInt32(0)..<0x3000 {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let once = String(scalar).folded
      #expect(once.folded == once, "U+\(String(value, radix: 16))")
    }
  }

  @Test(arguments: [
    ("", "", true), ("", "a", false), ("%", "", true), ("%", "abc", true), ("_", "é", true), ("_", "", false),
    ("a%c", "abbc", true), ("a%c", "abbd", false), ("%b%", "abc", true), ("a_c", "a🎬c", true), ("__", "é", false),
    (#"\%"#, "%", true), (#"\%"#, "a", false), (#"\_x"#, "_x", true), (#"a\"#, #"a\"#, true), (#"\\"#, #"\"#, true),
    ("%a%a%a%b", String(repeating: "a", count: 2000), false), ("%한_", "x한글", true), ("A%É", "a e", true),
  ])
  func `a like pattern matches folded text as expected`(_ pattern: String, _ text: String, _ expected: Bool) {
    #expect(TextMatch.foldedLike.matches(text, pattern) == expected)
  }

  @Test func `the text matches contains, begins and ends compare bytes`() {
    #expect(TextMatch.contains.matches("aab", "ab"))
    #expect(!TextMatch.contains.matches("ab", "abc"))
    #expect(TextMatch.contains.matches("e\u{301}", "e"))
    #expect(TextMatch.begins.matches("e\u{301}", "e"))
    #expect(!TextMatch.begins.matches("é", "e"))
    #expect(
      TextMatch.ends.matches("xyz", "") && TextMatch.ends.matches("xyz", "yz") && !TextMatch.ends.matches("z", "yz"))
  }

  @Test func `the bound after a prefix is the next larger value`() {
    #expect(StoredValue.bound(afterPrefix: "ab") == .text("ac"))
    #expect(StoredValue.bound(afterPrefix: "\u{D7FF}") == .text("\u{E000}"))
    #expect(StoredValue.bound(afterPrefix: "a\u{10FFFF}") == .text("b"))
    #expect(StoredValue.bound(afterPrefix: "\u{10FFFF}") == .blob(Data()))
    #expect(StoredValue.bound(afterPrefix: "") == .blob(Data()))
  }
}

extension String {
  fileprivate var folded: String {
    var text = self
    return text.withUTF8 { String(decoding: TextFolding.fold($0), as: UTF8.self) }
  }
}
