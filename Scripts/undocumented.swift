// Names every public symbol without a documentation comment, and every type at a module's root that no page's Topics list.
// Scripts/docs runs it: CATALOG GRAPH…. It ends with 1 unless there are none of either.
import Foundation

struct Graph: Decodable {
  struct Symbol: Decodable {
    struct Kind: Decodable {
      let identifier: String
      let displayName: String
    }
    struct Comment: Decodable {
      struct Line: Decodable { let text: String }
      let lines: [Line]
    }
    struct Location: Decodable {}
    let kind: Kind
    let pathComponents: [String]
    let docComment: Comment?
    /// Where it is declared; nil for what the compiler makes, as `init(rawValue:)` of an enum.
    let location: Location?

    var isDocumented: Bool { docComment?.lines.contains { !$0.text.allSatisfy(\.isWhitespace) } ?? false }
    var name: String { pathComponents.joined(separator: ".") }
    /// Members stand on their type's page by themselves, and operators in a group of their own.
    var needsTopic: Bool { pathComponents.count == 1 && kind.identifier != "swift.func.op" }
  }
  let symbols: [Symbol]
}

guard CommandLine.arguments.count > 2 else {
  print("usage: undocumented CATALOG GRAPH…")
  exit(2)
}
let catalog = URL(filePath: CommandLine.arguments[1], directoryHint: .isDirectory)
let pages = try FileManager.default.contentsOfDirectory(at: catalog, includingPropertiesForKeys: nil)
  .filter { $0.pathExtension == "md" }.map { try String(contentsOf: $0, encoding: .utf8) }
let topics = Set(pages.joined(separator: "\n").matches(of: #/(?m)^- ``([^`/]+)``$/#).map { String($0.1) })

var missing: [String] = []
var count = 0
for path in CommandLine.arguments.dropFirst(2) {
  let graph = try JSONDecoder().decode(Graph.self, from: Data(contentsOf: URL(filePath: path)))
  let declared = graph.symbols.filter { $0.location != nil }
  count += declared.count
  missing += declared.filter { !$0.isDocumented }.map { "undocumented: \($0.kind.displayName) \($0.name)" }
  // What extends types of other modules is in graphs of its own, named for them, and below those types.
  missing += declared.filter { $0.needsTopic && !topics.contains($0.name) }.map {
    "in no Topics: \($0.kind.displayName) \($0.name)"
  }
}
for name in missing.sorted() { print(name) }
print("\(missing.count) of \(count) public symbols are undocumented or in no Topics")
exit(missing.isEmpty && count > 0 ? 0 : 1)
