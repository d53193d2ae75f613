import Foundation
import LarderTestSupport
import Testing

/// The pages of the documentation site, as a reader with a small window sees them.
@Suite struct CookbookTests {
  private static let cookbooks = [
    "Sources/Decoding/Decoding.docc/Cookbook.md", "Sources/FetchKit/FetchKit.docc/Cookbook.md",
    "Sources/FetchKitTesting/FetchKitTesting.docc/TestingCookbook.md",
    "Sources/Persistence/Persistence.docc/Cookbook.md", "Docs/Cookbook.md",
  ]

  private func recipes(in path: String) throws -> [(heading: String, text: String)] {
    let page = try String(contentsOf: Compiler.packageRoot.appending(path: path), encoding: .utf8)
    return page.components(separatedBy: "\n## ").dropFirst().map { section in
      let heading = section.prefix { $0 != "\n" }
      return (String(heading), String(section.dropFirst(heading.count)))
    }.filter { $0.heading != "Overview" }
  }

  @Test func `the cookbooks have at least forty tasks, each with its own heading and code that compiles`() throws {
    var headings: [String] = []
    for path in Self.cookbooks {
      let recipes = try recipes(in: path)
      for recipe in recipes {
        #expect(Snippet.snippets(of: recipe.text, path: path).count == 1, "\(path): \(recipe.heading)")
      }
      let names = recipes.map(\.heading)
      #expect(Set(names).count == names.count, "\(path)")
      headings += names
    }
    #expect(headings.count >= 40, "\(headings.count)")
  }

  @Test func `code in the articles and the cookbooks fits into 80 columns`() throws {
    let snippets = try Snippet.all(in: Compiler.packageRoot).filter {
      $0.path.hasSuffix(".md") && ($0.path.contains(".docc/") || Self.cookbooks.contains($0.path))
    }
    #expect(snippets.count > 150, "\(snippets.count)")
    for snippet in snippets {
      for line in snippet.text.split(separator: "\n") where line.count > 80 {
        Issue.record("\(snippet.path): \(line.count) columns: \(line)")
      }
    }
  }
}
