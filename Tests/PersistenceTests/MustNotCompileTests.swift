import Foundation
import Testing

/// What must be refused by the compiler, because at run time it would be a data race or nonsense.
@Suite struct MustNotCompileTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let text: String
    var testDescription: String { name }
  }

  static let file = Compiler.folder.appending(path: "Cases.swift")

  /// The names and expected texts, from the `#if` lines.
  static let cases: [Case] = {
    let lines = (try? String(contentsOf: file, encoding: .utf8))?.split(separator: "\n") ?? []
    return lines.compactMap { line in
      let parts = line.trimmingCharacters(in: .whitespaces).components(separatedBy: "  // ")
      guard parts.count == 2, parts[0].hasPrefix("#if ") else { return nil }
      return Case(name: String(parts[0].dropFirst(4)), text: parts[1])
    }
  }()

  @Test func `what is right compiles`() async throws {
    let result = try await Compiler.compile(Self.file, defining: nil)
    #expect(result.code == 0, "\(result.output)")
    #expect(Self.cases.count >= 25)
  }

  @Test(arguments: cases)
  func `what is wrong does not compile, and the text helps`(_ wrong: Case) async throws {
    let result = try await Compiler.compile(Self.file, defining: wrong.name)
    #expect(result.code != 0, "\(wrong.name) compiled")
    let errors = result.output.split(separator: "\n").filter { $0.contains("error: ") || $0.contains("note: ") }
    #expect(errors.contains { $0.contains(wrong.text) }, "\(result.output)")
  }
}
