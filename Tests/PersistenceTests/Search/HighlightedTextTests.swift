import Foundation
import Testing

@testable import Persistence

/// Highlights and snippets.
@Suite struct HighlightedTextTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  /// Articles with these titles and bodies, numbered from 0.
  private func container(_ texts: [(String, String?)]) async throws -> PersistentContainer {
    let container = try await store.open(Article.self, Author.self)
    try await container.newContext().persist { objects in
      for (number, text) in texts.enumerated() { _ = Article.insert(text.0, text.1, number, in: objects) }
    }
    return container
  }

  @Test func `highlights are ranges of the original text`() async throws {
    let body = "Im Café an der Straße\u{0} saß 👩‍👩‍👧 É\u{301}mile; CAFÉ-Besucher\u{1}cafe\u{2}"
    let container = try await container([("Straße", body), ("x", nil)])
    try await container.newContext().perform { objects in
      let article = try objects.fetch(Article.self)[0]
      func marked(_ text: SearchText) throws -> [String] {
        let found = try objects.highlights(of: text, in: article, \.body)
        #expect(found.text == body)
        return found.ranges.map { String(body[$0]) }
      }
      #expect(try marked(SearchText("cafe", completesLastWord: false)) == ["Café", "CAFÉ", "cafe"])
      #expect(try marked(SearchText("strasse emil")) == ["Straße", "É\u{301}mile"])
      #expect(try marked(SearchText("\"cafe besucher\"")) == ["CAFÉ-Besucher"])
      #expect(try marked(SearchText("sass")) == ["saß"])
      #expect(try marked(SearchText("missing")).isEmpty)
      #expect(try marked(SearchText(expression: "NEAR(der strasse)")) == ["der", "Straße"])
      let title = try objects.highlights(of: SearchText("strasse"), in: article, \.title)
      #expect(title.ranges.map { title.text[$0] } == ["Straße"])
      let other = try objects.fetch(Article.self)[1]
      #expect(try objects.highlights(of: SearchText("x"), in: other, \.body) == HighlightedText("", ranges: []))
    }
  }

  @Test func `a snippet shows the part with the most matches`() {
    let words = (0..<100).map { [40, 42, 90].contains($0) ? "fox\($0)" : "w\($0)" }
    let text = words.joined(separator: " ")
    let ranges = text.ranges(of: /fox\d+/)
    let snippet = HighlightedText(text, ranges: ranges).snippet(words: 7)
    #expect(snippet.text == "…w38 w39 fox40 w41 fox42 w43 w44…")
    #expect(snippet.ranges.map { snippet.text[$0] } == ["fox40", "fox42"])
    #expect(HighlightedText("short", ranges: []).snippet().text == "short")
    #expect(HighlightedText(text, ranges: []).snippet(words: 2).text == "w0 w1…")
    #expect(HighlightedText(text, ranges: [ranges[2]]).snippet(words: 20).text.hasSuffix("w98 w99"))
    #expect(HighlightedText(text, ranges: ranges).snippet(words: 0).text == "…fox40…")
  }

}
