// Names every public symbol without a documentation comment, every type at a module's root that is not in the Topics of
// exactly one page, and every type with more than 12 members and no Topics of its own. Extension files are pages, too.
// Scripts/docs runs it: CATALOG GRAPH…. It ends with 1 unless there are none of these.
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
    /// Whether its comment groups its members, where no extension file does.
    var hasTopicsInComment: Bool { docComment?.lines.contains { $0.text == "## Topics" } ?? false }
  }
  let symbols: [Symbol]
}

guard CommandLine.arguments.count > 2 else {
  print("usage: undocumented CATALOG GRAPH…")
  exit(2)
}
let catalog = URL(filePath: CommandLine.arguments[1], directoryHint: .isDirectory)
let pages = try FileManager.default.subpathsOfDirectory(atPath: catalog.path)
  .filter { $0.hasSuffix(".md") }.map { try String(contentsOf: catalog.appending(path: $0), encoding: .utf8) }
let text = pages.joined(separator: "\n")
let links = text.matches(of: #/(?m)^- ``([^`/]+)``$/#).map { String($0.1) }
let topics = Dictionary(links.map { ($0, 1) }, uniquingKeysWith: +)
// An extension file's title links to its type. Where a property's name differs only in case, the link says the kind.
let extended = Set(
  text.matches(of: #/(?m)^# ``\w+/([^`]+)``$/#)
    .map { String($0.1).replacing(#/-swift\.[a-z.]+/#, with: "").replacing("/", with: ".") })

var missing: [String] = []
var count = 0
for path in CommandLine.arguments.dropFirst(2) {
  let graph = try JSONDecoder().decode(Graph.self, from: Data(contentsOf: URL(filePath: path)))
  let declared = graph.symbols.filter { $0.location != nil }
  count += declared.count
  missing += declared.filter { !$0.isDocumented }.map { "undocumented: \($0.kind.displayName) \($0.name)" }
  // What extends types of other modules is in graphs of its own, named for them, and below those types.
  missing += declared.filter { $0.needsTopic && topics[$0.name] != 1 }.map {
    "in \(topics[$0.name] ?? 0) Topics, not 1: \($0.kind.displayName) \($0.name)"
  }
  let members = Dictionary(grouping: declared) { $0.pathComponents.dropLast().joined(separator: ".") }
  missing += declared.filter {
    (members[$0.name]?.count ?? 0) > 12 && !extended.contains($0.name) && !$0.hasTopicsInComment
  }.map { "without Topics of its own: \($0.kind.displayName) \($0.name)" }
}
for name in missing.sorted() { print(name) }
print("\(missing.count) of \(count) public symbols are undocumented or not in Topics")
exit(missing.isEmpty && count > 0 ? 0 : 1)
