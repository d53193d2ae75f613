import Foundation
import LarderTestSupport

/// A public type that is thrown, that an error carries, or that is nested in one of these, as its source declares it.
struct ErrorType {
  let file: String
  /// As a documentation link writes it: `OpenFailure/Reason`.
  let name: String
  var cases: [String] = []
  /// Whether its comment links to the page of errors. Nil if the type is nested in another error type.
  let isLinked: Bool?

  /// The types of a module. Types without a remedy of their own are omitted.
  static func all(in module: String) throws -> [ErrorType] {
    let root = Compiler.packageRoot.appending(path: "Sources/\(module)")
    let names = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
    return try names.filter { $0.hasSuffix(".swift") && !$0.hasPrefix("Internal/") }.sorted().flatMap { name in
      all(in: try String(contentsOf: root.appending(path: name), encoding: .utf8), file: "\(module)/\(name)")
    }.filter { !["CurlTransport/Feature", "PersistenceError/Outcome", "RefreshReport/Failure"].contains($0.name) }
  }

  /// The types of a file: those whose names or conformances say that they are errors, and all enums next to them.
  static func all(in source: String, file: String) -> [ErrorType] {
    let errors = /^ *public (?:enum|struct) \w*(?:Error|Failure|Violation|MergeConflict|Invalid\w+)\b/
      .anchorsMatchLineEndings()
    guard source.contains(errors) else { return [] }
    var types: [ErrorType] = []
    var outer = ""
    var comment = ""
    var current: (index: Int, indent: Int)?
    for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
      let content = line.drop { $0 == " " }
      let indent = line.count - content.count
      if content.hasPrefix("///") {
        comment += content + "\n"
        continue
      }
      defer { comment = "" }
      if let open = current, indent <= open.indent, content.hasPrefix("}") { current = nil }
      if let match = line.firstMatch(of: /^(?:public )?(?:extension|enum|struct|final class) ([\w.]+)/) {
        outer = String(match.output.1.replacing(".", with: "/"))
      }
      if let match = content.prefixMatch(of: /public (enum|struct) (\w+)/) {
        let (keyword, name) = (match.output.1, String(match.output.2))
        let isError = line.contains(errors)
        guard isError || keyword == "enum" else { continue }
        let isNested = indent > 0 && types.contains { $0.name == outer }
        types.append(
          ErrorType(
            file: file, name: indent > 0 ? "\(outer)/\(name)" : name,
            isLinked: isNested ? nil : comment.contains("<doc:WhenSomethingGoesWrong>")))
        current = keyword == "enum" ? (types.count - 1, indent) : nil
      } else if let open = current, indent == open.indent + 2, content.hasPrefix("case ") {
        types[open.index].cases += names(in: content.dropFirst(5))
      }
    }
    return types
  }

  /// The names in `two(Int), three`.
  private static func names(in declaration: Substring) -> [String] {
    var depth = 0
    var plain = ""
    for character in declaration {
      if character == "(" { depth += 1 }
      if depth == 0 { plain.append(character) }
      if character == ")" { depth -= 1 }
    }
    return plain.split(separator: ",").compactMap { $0.firstMatch(of: /\w+/).map { String($0.output) } }
  }
}
