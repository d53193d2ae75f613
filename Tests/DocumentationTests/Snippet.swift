import Foundation

/// A block of Swift in a document or in a documentation comment.
struct Snippet: CustomStringConvertible, Sendable {
  /// Relative to the package's root.
  let path: String
  /// The number of its first line, counted from 1.
  let line: Int
  let text: String
  /// The folder in `Sources` that the snippet documents, in `Docs` named by its section; nil for the package's own
  /// documents.
  let module: String?

  var description: String { "\(path):\(line)" }

  /// Whether the snippet has its own imports. A snippet in a declaration's comment does not need them.
  var isWhole: Bool { text.hasPrefix("import ") }

  private static let modules = [
    "Decoding", "FetchKit", "FetchKitTesting", "Persistence", "PersistenceTesting", "PersistenceUI",
    "SyncKit", "SyncTesting",
  ]

  /// All snippets in README, `Docs`, the articles and the documentation comments of the products.
  ///
  /// Without the tutorial and package manifests: `Scripts/tutorial` builds and runs those.
  static func all(in root: URL) throws -> [Snippet] {
    let folders = ["Docs"] + modules.map { "Sources/\($0)" }
    let found = folders.flatMap { folder -> [String] in
      let names = FileManager.default.enumerator(atPath: root.appending(path: folder).path)?.compactMap {
        $0 as? String
      }
      return (names ?? []).map { "\(folder)/\($0)" }
    }
    let documents = found.filter { ($0.hasSuffix(".md") || $0.hasSuffix(".swift")) && $0 != "Docs/Tutorial.md" }
    return try (["README.md", "CONTRIBUTING.md"] + documents.sorted()).flatMap { path in
      snippets(of: try String(contentsOf: root.appending(path: path), encoding: .utf8), path: path)
    }.filter { !$0.text.hasPrefix("// swift-tools-version") }
  }

  static func snippets(of document: String, path: String) -> [Snippet] {
    var found: [Snippet] = []
    var open: (line: Int, indent: Int, lines: [Substring])?
    let parts = path.split(separator: "/").map(String.init)
    var module = parts.first == "Sources" ? parts.dropFirst().first : nil
    for (index, line) in document.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      var line = line
      if path.hasSuffix(".swift") {
        guard let mark = line.firstRange(of: "///"), line[..<mark.lowerBound].allSatisfy({ $0 == " " }) else {
          open = nil
          continue
        }
        line = line[mark.upperBound...]
        if line.first == " " { line.removeFirst() }
      }
      let content = line.drop { $0 == " " }
      if let block = open, content.hasPrefix("```") {
        found.append(
          Snippet(path: path, line: block.line, text: block.lines.joined(separator: "\n"), module: module))
        open = nil
      } else if let indent = open?.indent {
        open?.lines.append(line.dropFirst(min(indent, line.count - content.count)))
      } else if content.hasPrefix("```swift") {
        open = (index + 2, line.count - content.count, [])
      } else if parts.first == "Docs", line.hasPrefix("## ") {
        module = modules.first { $0 == line.dropFirst(3) }
      }
    }
    return found
  }
}
