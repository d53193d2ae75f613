import Foundation
import LarderTestSupport
import Testing

/// The code in the documents compiles as written.
@Suite(.timeLimit(.minutes(10))) struct SnippetTests {
  static let snippets = (try? Snippet.all(in: Compiler.packageRoot)) ?? []

  @Test func `snippets are found in every document with their line numbers`() throws {
    #expect(Set(Self.snippets.compactMap(\.module)).isSuperset(of: ["Decoding", "FetchKit", "Persistence"]))
    #expect(Self.snippets.contains { $0.path == "README.md" })
    let text = "a\n```swift\nlet a = 1\n```\n- b\n  ```swift\n  if a {\n    b()\n  }\n  ```\n```json\n1\n```\n"
    let found = Snippet.snippets(of: text, path: "Docs/x.md")
    #expect(found.map(\.text) == ["let a = 1", "if a {\n  b()\n}"])
    #expect(found.map(\.line) == [3, 7])
    let sections = "## FetchKit\n### A\n```swift\na\n```\n## Others\n```swift\nb\n```\n"
    #expect(Snippet.snippets(of: sections, path: "Docs/x.md").map(\.module) == ["FetchKit", nil])
    let comment = Snippet.snippets(
      of: "  /// One.\n  /// ```swift\n  /// f()\n  /// ```\n  func f() {}", path: "Sources/M/x.swift")
    #expect(comment.map(\.text) == ["f()"])
    #expect(comment.map(\.module) == ["M"])
  }

  @Test func `every snippet in the documents compiles`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "snippets-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let givens = try await Givens(in: folder)
    try await withThrowingTaskGroup(of: (Snippet, Compiler.Outcome).self) { group in
      for (index, snippet) in Self.snippets.enumerated() {
        group.addTask {
          let file = folder.appending(path: "\(index).swift")
          try Data(snippet.program.utf8).write(to: file)
          // Data races are found, and the compiler's own faults show, only after type checking.
          let flags = ["-emit-sil", "-o", "/dev/null", "-module-name", "Snippet"] + givens.flags(for: snippet)
          let more = (snippet.hasEntryPoint ? ["-parse-as-library"] : []) + snippet.isolation
          return (snippet, try await Compiler.compile(file, flags + more, modules: Givens.modules(snippet.module)))
        }
      }
      for try await (snippet, outcome) in group {
        #expect(outcome.succeeded, "\(snippet): \(outcome.output)")
      }
    }
  }
}

/// The declarations that snippets rely on: a module named `Given` for each of our modules, and stand-ins for frameworks
/// of Apple's.
private struct Givens {
  private let folder: URL

  /// What a snippet of a module imports. `PersistenceUI` exists where SwiftUI does, so `Scripts/apple` compiles it.
  static func modules(_ module: String?) -> URL {
    #if !canImport(SwiftUI)
    if module == "PersistenceUI" { return Compiler.packageRoot.appending(path: ".build-apple") }
    #endif
    return Compiler.modules
  }

  init(in folder: URL) async throws {
    self.folder = folder
    let tests = URL(filePath: #filePath).deletingLastPathComponent()
    #if !canImport(SwiftUI)
    let apple = Compiler.packageRoot.appending(path: "Scripts/apple")
    let compiled = try await ChildProcess.run(apple, [], errors: .joined)
    try #require(compiled.exit == .code(0), "\(compiled.text)")
    for name in ["BackgroundTasks", "SwiftUI", "UIKit"] {
      let outcome = try await Compiler.compile(
        tests.appending(path: "StandIns/\(name).swift"),
        [
          "-emit-module", "-parse-as-library", "-module-name", name, "-o",
          folder.appending(path: "\(name).swiftmodule").path,
        ])
      try #require(outcome.succeeded, "\(name): \(outcome.output)")
    }
    #endif
    let sources = tests.appending(path: "Given")
    for name in try FileManager.default.contentsOfDirectory(atPath: sources.path) {
      let module = folder.appending(path: String(name.split(separator: ".")[0]))
      try FileManager.default.createDirectory(at: module, withIntermediateDirectories: true)
      let outcome = try await Compiler.compile(
        sources.appending(path: name),
        [
          "-emit-module", "-parse-as-library", "-module-name", "Given", "-o",
          module.appending(path: "Given.swiftmodule").path,
        ], modules: Self.modules(module.lastPathComponent))
      try #require(outcome.succeeded, "\(name): \(outcome.output)")
    }
  }

  func flags(for snippet: Snippet) -> [String] {
    ["-I", folder.appending(path: snippet.module ?? "Package").path, "-I", folder.path]
  }
}
