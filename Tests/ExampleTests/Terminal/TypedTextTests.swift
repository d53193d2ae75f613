import Testing

@testable import ExampleSupport

@Suite struct TypedTextTests {
  private func outcomes(_ keys: String) -> [TypedText.Outcome] {
    var typed = TypedText()
    return keys.utf8.compactMap { typed.take($0) }
  }

  private func text(_ keys: String) -> String {
    var typed = TypedText()
    for byte in keys.utf8 { _ = typed.take(byte) }
    return typed.text
  }

  @Test func `each key changes the typed text`() {
    #expect(outcomes("wh") == [.changed("w"), .changed("wh")])
  }

  @Test func `a character of several bytes is typed and deleted whole`() {
    #expect(outcomes("é千🧊") == [.changed("é"), .changed("é千"), .changed("é千🧊")])
    #expect(text("é千🧊\u{7F}\u{7F}") == "é")
    #expect(text("e\u{301}\u{7F}") == "")
  }

  @Test func `deleting removes words and lines, and deleting from an empty text does nothing`() {
    #expect(text("moby dick \u{17}") == "moby ")
    #expect(text("moby dick\u{15}ahab") == "ahab")
    #expect(outcomes("\u{7F}\u{8}\u{15}\u{17}").isEmpty)
  }

  @Test func `keys that move the cursor do nothing`() {
    #expect(text("a\u{1B}[Db\u{1B}[1;5Cc\u{1B}OPd\u{1B}xe\t") == "abcde")
  }

  @Test(arguments: ["\r", "\n", "\u{4}"]) func `Return and Ctrl-D end the typed text`(key: String) {
    #expect(outcomes(key) == [.ended])
  }

  @Test func `Ctrl-C interrupts typing`() {
    #expect(outcomes("a\u{3}") == [.changed("a"), .interrupted])
  }

  @Test func `invalid bytes are dropped, and the following text is read`() {
    var typed = TypedText()
    for byte in [0xFF, 0xFF, 0xFF, 0xFF] as [UInt8] { #expect(typed.take(byte) == nil) }
    #expect(typed.take(UInt8(ascii: "a")) == .changed("a"))
  }
}
