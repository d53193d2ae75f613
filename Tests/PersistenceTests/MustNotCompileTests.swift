import Foundation
import TestSupport
import Testing

/// What must be refused by the compiler, because at run time it would be a data race or nonsense.
@Suite struct MustNotCompileTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let text: String
    var testDescription: String { name }
  }

  /// The names and expected texts, from the `#if` lines.
  static let cases: [Case] = {
    let lines = (try? String(contentsOf: ClientCode.file("Cases.swift"), encoding: .utf8))?.split(separator: "\n") ?? []
    return lines.compactMap { line in
      let parts = line.trimmingCharacters(in: .whitespaces).components(separatedBy: "  // ")
      guard parts.count == 2, parts[0].hasPrefix("#if ") else { return nil }
      return Case(name: String(parts[0].dropFirst(4)), text: parts[1])
    }
  }()

  /// Errors about regions of isolation come only from the passes behind `-emit-sil`.
  private func compile(_ flags: [String] = []) async throws -> Compiler.Outcome {
    try await ClientCode.compile("Cases.swift", ["-emit-sil", "-o", "/dev/null"] + flags)
  }

  @Test func `what is right compiles`() async throws {
    let result = try await compile()
    #expect(result.succeeded, "\(result.output)")
    #expect(Self.cases.count >= 25)
  }

  @Test(arguments: cases)
  func `what is wrong does not compile, and the text helps`(_ wrong: Case) async throws {
    let result = try await compile(["-D", wrong.name])
    #expect(!result.succeeded, "\(wrong.name) compiled")
    let errors = result.output.split(separator: "\n").filter { $0.contains("error: ") || $0.contains("note: ") }
    #expect(errors.contains { $0.contains(wrong.text) }, "\(result.output)")
  }
}
