import Foundation

extension Snippet {
  /// A file that compiles if the snippet does: the snippet in the place where its lines would be written, after the
  /// imports that it relies on.
  ///
  /// `…` is replaced by an expression that a reader could write there.
  var program: String {
    var imports = ["Foundation", "Given"]
    if !isWhole {
      switch module {
      case "FetchKit"?, "FetchKitTesting"?: imports += ["Decoding", "FetchKit", "FetchKitTesting"]
      case nil: imports += ["Decoding", "FetchKit", "Persistence"]
      case "PersistenceUI"?: imports += ["Persistence", "PersistenceUI", "SwiftUI"]
      case "SyncTesting"?: imports += ["Persistence", "SyncKit", "SyncTesting"]
      case "SyncKit"?: imports += ["FetchKit", "Persistence", "SyncKit"]
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

  /// Whether the snippet has its own entry point, so that the file contains declarations only.
  var hasEntryPoint: Bool { text.contains("@main") }

  /// The compiler's flags for a snippet about targets that are isolated to the main actor.
  var isolation: [String] { text.contains("nonisolated protocol") ? ["-default-isolation", "MainActor"] : [] }

  /// Turns lines that list values of the documented type into statements.
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
      switch module {
      case "Persistence": return (["final class Snippet: ManagedObject {"], ["}"])
      case "PersistenceUI": return (["@MainActor struct Snippet {"], ["}"])
      default: return (["struct Snippet: Decodable {"], ["}"])
      }
    }
    if !isWhole, text.contains(" self]") {
      return (["extension Screen {", "@MainActor func snippet() async throws {"], ["}", "}"])
    }
    return ([], [])
  }
}
