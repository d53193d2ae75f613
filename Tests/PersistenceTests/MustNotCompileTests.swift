import Foundation
import LarderTestSupport
import Testing

/// Code that the compiler must reject, because it would be a data race or have no meaning at run time.
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

  /// Only the passes that `-emit-sil` runs report errors about isolation regions.
  private func compile(_ flags: [String] = []) async throws -> Compiler.Outcome {
    try await ClientCode.compile("Cases.swift", ["-emit-sil", "-o", "/dev/null"] + flags)
  }

  @Test func `correct uses of contexts and objects compile`() async throws {
    let result = try await compile()
    #expect(result.succeeded, "\(result.output)")
    #expect(Self.cases.count >= 25)
  }

  @Test(arguments: cases)
  func `a wrong use of the module does not compile, and the message explains why`(_ wrong: Case) async throws {
    let result = try await compile(["-D", wrong.name])
    #expect(!result.succeeded, "\(wrong.name) compiled")
    let errors = result.output.split(separator: "\n").filter { $0.contains("error: ") || $0.contains("note: ") }
    #expect(errors.contains { $0.contains(wrong.text) }, "\(result.output)")
  }
}
