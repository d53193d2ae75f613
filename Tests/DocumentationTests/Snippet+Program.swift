import Foundation

extension Snippet {
  /// A file that compiles if the snippet does: it stands where such lines would stand, in front of it what it takes as
  /// given.
  ///
  /// `…` stands for what a reader would write there.
  var program: String {
    var imports = ["Foundation", "Given"]
    if !isWhole {
      switch module {
      case "FetchKit"?, "FetchKitTesting"?: imports += ["Decoding", "FetchKit", "FetchKitTesting"]
      case nil: imports += ["Decoding", "FetchKit", "Persistence"]
      case "PersistenceTesting"?: imports += ["Persistence", "PersistenceTesting"]
      case let module?: imports.append(module)
      }
    }
    if text.contains("#expect") || text.contains("@Test") { imports.append("Testing") }
    let (before, after) = surroundings
    let lines = imports.map { "import \($0)" } + before + ["#sourceLocation(file: \"\(path)\", line: \(line))"]
    return (lines + [statements.replacing("…", with: "fatalError()"), "#sourceLocation()"] + after).joined(
      separator: "\n") + "\n"
  }

  /// Whether the snippet brings its own entry point, so that nothing stands outside of declarations.
  var hasEntryPoint: Bool { text.contains("@main") }

  /// Values of the documented type that stand below each other are no statements yet.
  private var statements: String {
    guard text.hasPrefix(".") else { return text }
    let type = URL(filePath: path).deletingPathExtension().lastPathComponent
    return text.split(separator: "\n").map { "_ = \(type)\($0)" }.joined(separator: "\n")
  }

  private var surroundings: (before: [String], after: [String]) {
    let first = text.split(separator: "\n").first.map(String.init) ?? ""
    if first.hasPrefix("init(from") {
      return (["struct Snippet: Decodable {", "var title: String", "var publisher: String?"], ["}"])
    }
    if first.hasPrefix("func encode(to") {
      return (["struct Snippet: Encodable {", "var title: String", "var publisher: String?"], ["}"])
    }
    if first.hasPrefix("@"), first.contains(" var ") {
      return (
        module == "Persistence" ? ["final class Snippet: ManagedObject {"] : ["struct Snippet: Decodable {"], ["}"]
      )
    }
    if !isWhole, text.contains(" self]") {
      return (["extension Screen {", "@MainActor func snippet() async throws {"], ["}", "}"])
    }
    return ([], [])
  }
}
