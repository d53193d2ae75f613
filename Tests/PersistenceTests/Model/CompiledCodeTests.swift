import Foundation
import LarderTestSupport
import Testing

/// Compile time and generated code of a program that uses the module.
@Suite struct CompiledCodeTests {
  /// Warnings about expressions whose type check takes more than `milliseconds` of processor time.
  private func slowExpressions(above milliseconds: Int) async throws -> [Substring] {
    let result = try await ClientCode.compile(
      "LongQueries.swift", ["-typecheck", "-Xfrontend", "-warn-long-expression-type-checking=\(milliseconds)"])
    #expect(result.succeeded, "\(result.output)")
    return result.output.split(separator: "\n").filter { $0.contains("warning: ") && $0.contains("to type-check") }
  }

  @Test func `queries of twelve clauses type-check within a second`() async throws {
    let slow = try await slowExpressions(above: 1000)
    #expect(slow.isEmpty, "\(slow)")
    // The compiler does report slow expressions
    #expect(try await slowExpressions(above: 1).count >= 3)
  }

  private func assembly(_ options: String...) async throws -> String {
    let folder = FileManager.default.temporaryDirectory.appending(path: "assembly-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let output = folder.appending(path: "accessors.s")
    let result = try await ClientCode.compile(
      "Accessors.swift", ["-O", "-emit-assembly", "-o", output.path] + options)
    #expect(result.succeeded, "\(result.output)")
    return try String(contentsOf: output, encoding: .utf8)
  }

  /// Lines that call a runtime function for access by key path.
  private func walks(_ assembly: String) -> [Substring] {
    let signs = ["swift_getAtKeyPath", "swift_setAtReferenceWritableKeyPath", "swift_modifyAtReferenceWritableKeyPath"]
    return assembly.split(separator: "\n").filter { line in signs.contains { line.contains($0) } }
  }

  @Test func `optimized attribute accesses use no key path and no exclusivity check`() async throws {
    let assembly = try await assembly()
    // The functions and the accesses in them exist
    for name in ["probeAttributes", "probeRelationships", "5MovieC5votes", "5MovieC8director", "5MovieC7members"] {
      #expect(assembly.contains(name), "\(name) is missing")
    }
    #expect(assembly.contains("_willChange") && assembly.contains("_setTarget"))
    #expect(walks(assembly).isEmpty, "\(walks(assembly))")
    #expect(!assembly.contains("swift_beginAccess"))
    // An access by key path would be found
    #expect(!walks(try await self.assembly("-D", "WALKED")).isEmpty)
  }
}
