// Names every public symbol without a documentation comment in the symbol graphs given, and says how many they are.
// Scripts/docs runs it; it ends with 1 unless there are none.
import Foundation

struct Graph: Decodable {
  struct Symbol: Decodable {
    struct Kind: Decodable { let displayName: String }
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
  }
  let symbols: [Symbol]
}

var missing: [String] = []
var count = 0
for path in CommandLine.arguments.dropFirst() {
  let graph = try JSONDecoder().decode(Graph.self, from: Data(contentsOf: URL(filePath: path)))
  let declared = graph.symbols.filter { $0.location != nil }
  count += declared.count
  missing += declared.filter { !$0.isDocumented }.map {
    "\($0.kind.displayName) \($0.pathComponents.joined(separator: "."))"
  }
}
for name in missing.sorted() { print("undocumented: \(name)") }
print("\(missing.count) of \(count) public symbols are undocumented")
exit(missing.isEmpty && count > 0 ? 0 : 1)
