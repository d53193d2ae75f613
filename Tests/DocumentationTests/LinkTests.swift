import Foundation
import LarderTestSupport
import Testing

/// Links between the documents of the repository, and what the README promises about them.
@Suite struct LinkTests {
  private func text(_ path: String) throws -> String {
    try String(contentsOf: Compiler.packageRoot.appending(path: path), encoding: .utf8)
  }

  /// The targets of the links of a document, without those in code.
  private func links(in text: String) -> [String] {
    var isCode = false
    let prose = text.split(separator: "\n", omittingEmptySubsequences: false).filter { line in
      if line.hasPrefix("```") { isCode.toggle() }
      return !isCode
    }.joined(separator: "\n")
    return prose.matches(of: #/\]\(([^)\s]+)\)/#).map { String($0.1) }
  }

  /// The anchor that a heading gets.
  private func anchor(_ heading: Substring) -> String {
    String(
      heading.lowercased().compactMap { $0 == " " ? "-" : $0.isLetter || $0.isNumber || "-_".contains($0) ? $0 : nil })
  }

  @Test func `every link from a document of the repository leads to a file and to a heading in it`() throws {
    let documents = try FileManager.default.contentsOfDirectory(
      atPath: Compiler.packageRoot.appending(path: "Docs").path
    ).filter { $0.hasSuffix(".md") }.map { "Docs/\($0)" }
    var count = 0
    for document in documents.sorted() + ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"] {
      let folder = Compiler.packageRoot.appending(path: document).deletingLastPathComponent()
      for link in links(in: try text(document)) where !link.contains("://") && !link.hasPrefix("mailto:") {
        count += 1
        let parts = link.split(separator: "#", omittingEmptySubsequences: false).map(String.init)
        let target =
          parts[0].isEmpty ? Compiler.packageRoot.appending(path: document) : folder.appending(path: parts[0])
        #expect(FileManager.default.fileExists(atPath: target.path), "\(document): \(link)")
        guard parts.count > 1, let page = try? String(contentsOf: target, encoding: .utf8) else { continue }
        let anchors = page.split(separator: "\n").filter { $0.hasPrefix("#") }.map {
          anchor($0.drop { $0 == "#" }.drop { $0 == " " })
        }
        #expect(anchors.contains(parts[1]), "\(document): \(link)")
      }
    }
    #expect(count > 60, "\(count)")
  }

  @Test func `in the README's comparisons each yes of Larder and each no of others is a link`() throws {
    let rows = try text("README.md").split(separator: "\n").filter { $0.hasPrefix("| ") }.map {
      $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }.filter { $0.count > 4 }
    var losses = 0
    for row in rows {
      #expect(!row[1].hasPrefix("yes"), "without a link: \(row)")
      for cell in row.dropFirst(2) { #expect(!cell.hasPrefix("no"), "without a link: \(row)") }
      if row[1].hasPrefix("**no") || row[1].hasPrefix("[**no") { losses += 1 }
    }
    #expect(rows.count > 15)
    #expect(losses >= 8)
  }

  @Test func `the README has fewer than 200 lines`() throws {
    #expect(try text("README.md").split(separator: "\n", omittingEmptySubsequences: false).count < 200)
  }

  @Test func `every picture in an article has a description, a light version and a dark version`() throws {
    var names: Set<String> = []
    for module in ["FetchKit", "Persistence"] {
      let catalogue = Compiler.packageRoot.appending(path: "Sources/\(module)/\(module).docc")
      let pages = try FileManager.default.contentsOfDirectory(atPath: catalogue.path).filter { $0.hasSuffix(".md") }
      for page in pages {
        let article = try String(contentsOf: catalogue.appending(path: page), encoding: .utf8)
        for image in article.matches(of: #/!\[([^\]]*)\]\(([a-z-]+)\)/#) {
          #expect(image.1.count > 40, "\(page): \(image.2)")
          for suffix in ["", "~dark"] {
            let file = catalogue.appending(path: "Resources/\(image.2)\(suffix).svg")
            #expect(FileManager.default.fileExists(atPath: file.path), "\(file.path)")
          }
          names.insert(String(image.2))
        }
      }
    }
    #expect(names.count >= 7)
  }
}
