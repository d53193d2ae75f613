import Foundation
import LarderTestSupport
import Testing

/// The pages of the documentation site, as a reader with a small window sees them.
@Suite struct CookbookTests {
  @Test func `the cookbook has at least forty tasks, each with its own heading and code that compiles`() throws {
    let path = "Docs/Cookbook.md"
    let page = try String(contentsOf: Compiler.packageRoot.appending(path: path), encoding: .utf8)
    var headings: [Substring] = []
    for section in page.components(separatedBy: "\n## ").dropFirst() {
      let parts = section.components(separatedBy: "\n### ")
      #expect(Snippet.snippets(of: parts[0], path: path).isEmpty, "\(parts[0])")
      for recipe in parts.dropFirst() where !recipe.hasPrefix("In the articles of ") {
        let heading = recipe.prefix { $0 != "\n" }
        #expect(Snippet.snippets(of: recipe, path: path).count == 1, "\(heading)")
        headings.append(heading)
      }
    }
    #expect(Set(headings).count == headings.count)
    #expect(headings.count >= 40, "\(headings.count)")
  }

  @Test func `code in the articles and the cookbook fits into 80 columns`() throws {
    let snippets = try Snippet.all(in: Compiler.packageRoot).filter {
      $0.path.hasSuffix(".md") && ($0.path.contains(".docc/") || ["Docs/Cookbook.md", "Docs/FAQ.md"].contains($0.path))
    }
    #expect(snippets.count > 150, "\(snippets.count)")
    for snippet in snippets {
      for line in snippet.text.split(separator: "\n") where line.count > 80 {
        Issue.record("\(snippet.path): \(line.count) columns: \(line)")
      }
    }
  }
}
