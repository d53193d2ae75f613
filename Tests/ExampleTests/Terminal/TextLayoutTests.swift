import Testing

@testable import ExampleSupport

@Suite struct TextLayoutTests {
  @Test func `wrapping keeps words whole, and lines within the width unless one word is longer`() {
    let lines = TextLayout.wrap("the quick brown fox jumps", columns: 12, indent: "  ")
    #expect(lines == ["  the quick", "  brown fox", "  jumps"])
    #expect(TextLayout.wrap("incomprehensibilities are rare", columns: 10) == ["incomprehensibilities", "are rare"])
    #expect(TextLayout.wrap("", columns: 10) == [""])
  }

  @Test(arguments: [("Fargo", 5), ("千と千尋", 8), ("Amélie", 6), ("e\u{301}", 1), ("🧊", 2), ("a\u{1B}b", 2)])
  func `a text's width is the number of columns that it takes in a terminal`(text: String, columns: Int) {
    #expect(TextLayout.width(of: text) == columns)
  }

  @Test func `text that does not fit is cut with an ellipsis, and control characters are removed`() {
    #expect(TextLayout.cut("Fargo", to: 5) == "Fargo")
    #expect(TextLayout.cut("Fargo", to: 4) == "Far…")
    #expect(TextLayout.cut("千と千尋", to: 4) == "千…")
    #expect(TextLayout.cut("a\u{1B}[2Jb\r", to: nil) == "a[2Jb")
  }

  @Test(arguments: 14...60)
  func `a table fits any terminal of at least 19 columns`(columns: Int) {
    let table = TextTable([], [["The Fabulous Destiny", "Ada, Grace", "7.9"], ["千と千尋の神隠し", "–", "8"]])
    let lines = table.lines(columns: columns)
    #expect(lines.allSatisfy { TextLayout.width(of: $0) <= columns || columns < 19 }, "\(lines)")
    #expect(lines[0].hasPrefix("The F"))
  }

  @Test func `without a terminal a table is as wide as necessary`() {
    #expect(TextTable([], [["a", "long entry"], ["bcd", ""]]).lines(columns: nil) == ["a    long entry", "bcd"])
  }

  @Test(arguments: [20, 40, 79])
  func `the progress line fits the terminal`(columns: Int) {
    for fraction in [nil, 0, 0.5, 1, 7] as [Double?] {
      let line = ProgressLine.line("Covers", fraction, "12 of 40, 1.2 MB/s", columns: columns)
      #expect(TextLayout.width(of: line) <= columns)
    }
    #expect(ProgressLine.line("A", 0.5, "1 of 2", columns: 21) == "A [#####·····] 1 of 2")
  }

  @Test func `byte counts are abbreviated`() {
    #expect([0, 999, 1500, 2_340_000].map { ProgressLine.bytes($0) } == ["0 B", "999 B", "1.5 kB", "2.3 MB"])
  }

  @Test func `progress shows its rate, in bytes where they are known`() {
    #expect(ProgressLine.detail(3, of: 12, bytes: 3_000_000, seconds: 2) == "3 of 12, 3.0 MB, 1.5 MB/s")
    #expect(ProgressLine.detail(3, of: 12, bytes: nil, seconds: 0.5) == "3 of 12, 6/s")
    #expect(ProgressLine.detail(0, of: 12, bytes: 0, seconds: 0) == "0 of 12, 0 B")
  }

  @Test func `typed text that does not fit shows its end`() {
    #expect(TextLayout.end(of: "moby dick", within: 4) == "dick")
    #expect(TextLayout.end(of: "千と千尋", within: 5) == "千尋")
    #expect(TextLayout.end(of: "", within: 5) == "")
  }

  @Test(arguments: 20...100) func `ids and numbers are readable in full on any terminal of at least 20 columns`(
    columns: Int
  ) {
    let table = TextTable(
      [.whole("#"), "Title", "Authors", .whole("Year"), .whole("Id")],
      [
        ["1.", "A Short History of Whales", "Ada Brandt, Wen Li", "1977", "zyTCAlFPjgYC"],
        ["2.", "千と千尋の神隠し", "–", "–", "x_9"],
      ])
    let lines = table.lines(columns: columns)
    #expect(lines.allSatisfy { TextLayout.width(of: $0) <= columns }, "\(lines)")
    let text = lines.joined(separator: "\n")
    for whole in ["1977", "zyTCAlFPjgYC", "x_9", "Authors", "Year", "Id"] {
      #expect(text.contains(whole), "\(whole) in \(text)")
    }
    #expect(lines.count == (columns < 42 ? 8 : 3))
  }

  @Test func `a table has a heading, and without rows it is empty`() {
    #expect(TextTable(["Name", .whole("Photos")], [["Ada", "3"]]).lines(columns: 40) == ["Name  Photos", "Ada   3"])
    #expect(TextTable(["Name"], []).lines(columns: nil).isEmpty)
    #expect(
      TextTable([.whole("#"), "Name", .whole("Identifier")], [["1.", "Ada Brandt", "abcdefghij"]]).lines(columns: 20)
        == ["1. Ada Brandt", "  Identifier: abcdefghij"])
  }

  @Test(arguments: [
    ("a\u{1B}[2Jb\u{1B}]0;x\u{7}c\rd\u{9B}H\u{1B}", "a[2Jb]0;xcdH"), ("\u{1B}[1mbold\u{1B}[0m", "[1mbold[0m"),
    ("one\ntwo\tthree\r\nfour", "one two three four"), ("\u{202E}gpj.exe", "gpj.exe"), ("a\u{2028}b", "a b"),
    ("\u{2066}a\u{2069}\u{200F}\u{61C}\u{FEFF}b", "ab"), ("é 👨‍👩‍👧 عربي e\u{301}", "é 👨‍👩‍👧 عربي e\u{301}"),
  ])
  func `a printed line contains no terminal control characters`(text: String, printable: String) {
    #expect(TextLayout.printable(text) == printable)
  }

  @Test func `a number and its noun agree`() {
    #expect([0, 1, 2].map { $0.counted("photo") } == ["0 photos", "1 photo", "2 photos"])
    #expect([1, 2].map { $0.counted("search", "searches") } == ["1 search", "2 searches"])
  }
}
