import Testing

@testable import ExampleSupport

@Suite struct TextLayoutTests {
  @Test func `words are kept whole, and lines no longer than they may be`() {
    let lines = TextLayout.wrap("the quick brown fox jumps", columns: 12, indent: "  ")
    #expect(lines == ["  the quick", "  brown fox", "  jumps"])
    #expect(TextLayout.wrap("incomprehensibilities are rare", columns: 10) == ["incomprehensibilities", "are rare"])
    #expect(TextLayout.wrap("", columns: 10) == [""])
  }

  @Test(arguments: [("Fargo", 5), ("千と千尋", 8), ("Amélie", 6), ("e\u{301}", 1), ("🧊", 2), ("a\u{1B}b", 2)])
  func `a text takes as many columns as a terminal gives it`(text: String, columns: Int) {
    #expect(TextLayout.width(of: text) == columns)
  }

  @Test func `what does not fit is cut with an ellipsis, and what could move the cursor is left out`() {
    #expect(TextLayout.cut("Fargo", to: 5) == "Fargo")
    #expect(TextLayout.cut("Fargo", to: 4) == "Far…")
    #expect(TextLayout.cut("千と千尋", to: 4) == "千…")
    #expect(TextLayout.cut("a\u{1B}[2Jb\r", to: nil) == "a[2Jb")
  }

  @Test(arguments: 14...60)
  func `a table fits any terminal that is not absurdly narrow`(columns: Int) {
    let table = TextTable([["The Fabulous Destiny", "Ada, Grace", "7.9"], ["千と千尋の神隠し", "–", "8"]])
    let lines = table.lines(columns: columns)
    #expect(lines.allSatisfy { TextLayout.width(of: $0) <= columns || columns < 19 }, "\(lines)")
    #expect(lines[0].hasPrefix("The F"))
  }

  @Test func `without a terminal a table is as wide as it must be`() {
    #expect(TextTable([["a", "long entry"], ["bcd", ""]]).lines(columns: nil) == ["a    long entry", "bcd"])
  }

  @Test(arguments: [20, 40, 79])
  func `progress fits its line`(columns: Int) {
    for fraction in [nil, 0, 0.5, 1, 7] as [Double?] {
      let line = ProgressLine.line("Covers", fraction, "12 of 40, 1.2 MB/s", columns: columns)
      #expect(TextLayout.width(of: line) <= columns)
    }
    #expect(ProgressLine.line("A", 0.5, "1 of 2", columns: 21) == "A [#####·····] 1 of 2")
  }

  @Test func `counts of bytes are written short`() {
    #expect([0, 999, 1500, 2_340_000].map { ProgressLine.bytes($0) } == ["0 B", "999 B", "1.5 kB", "2.3 MB"])
  }

  @Test func `progress says how fast it goes, in bytes where they are known`() {
    #expect(ProgressLine.detail(3, of: 12, bytes: 3_000_000, seconds: 2) == "3 of 12, 3.0 MB, 1.5 MB/s")
    #expect(ProgressLine.detail(3, of: 12, bytes: nil, seconds: 0.5) == "3 of 12, 6/s")
    #expect(ProgressLine.detail(0, of: 12, bytes: 0, seconds: 0) == "0 of 12, 0 B")
  }

  @Test func `of what is typed the end is shown`() {
    #expect(TextLayout.end(of: "moby dick", within: 4) == "dick")
    #expect(TextLayout.end(of: "千と千尋", within: 5) == "千尋")
    #expect(TextLayout.end(of: "", within: 5) == "")
  }

  @Test func `a line keeps its style and loses what could move the cursor`() {
    #expect(TextLayout.harmless("\u{1B}[1mWhales\u{1B}[0m: é 🧊\t1\n2") == "\u{1B}[1mWhales\u{1B}[0m: é 🧊\t1\n2")
    #expect(TextLayout.harmless("a\u{1B}[2Jb\u{1B}]0;x\u{7}c\rd\u{9B}H\u{1B}") == "a[2Jb]0;xcdH")
  }
}
