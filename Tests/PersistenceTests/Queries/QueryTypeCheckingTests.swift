import Foundation
import LarderTestSupport
import Testing

/// The cost of queries for the compiler's type checker, in constraint scopes, and its messages about wrong queries. A
/// scope takes about ten microseconds, and the compiler gives up after a million of them.
@Suite struct QueryTypeCheckingTests {
  @Test func `queries cost the type checker little, and the messages about wrong ones name what is wrong`() async throws
  {
    let folder = FileManager.default.temporaryDirectory.appending(path: "stats-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let statistics = ["-typecheck", "-stats-output-dir", folder.path, "-Xfrontend", "-trace-stats-events"]
    let right = try QueryFile("RightQueries.swift")
    let wrongFiles = [
      (try QueryFile("WrongQueries.swift"), 50_000), (try QueryFile("NineWrongClauses.swift"), 200_000),
    ]
    // Alone first: this must compile.
    let result = try await ClientCode.compile(right.name, statistics)
    #expect(result.succeeded, "\(result.output)")
    var messages: [Substring] = []
    for (wrong, _) in wrongFiles {
      let wrongResult = try await ClientCode.compile(wrong.name, [ClientCode.file(right.name).path] + statistics)
      #expect(!wrongResult.succeeded)
      messages += wrongResult.output.split(separator: "\n")
    }

    let scopes = try Self.scopes(in: folder, [right] + wrongFiles.map(\.0))
    #expect(right.functions.count >= 20 && wrongFiles.allSatisfy { $0.0.functions.count >= 20 })
    for function in right.functions {
      let count = try #require(scopes[function.name], "\(function.name) was not measured")
      #expect(count < 500, "\(function.name)")
    }
    for (wrong, limit) in wrongFiles {
      for function in wrong.functions {
        let count = try #require(scopes[function.name], "\(function.name) was not measured")
        #expect(count < limit, "\(function.name)")
        let found = messages.filter { function.lines.contains(wrong.line(of: $0) ?? 0) && $0.contains("error: ") }
        #expect(!function.expected.isEmpty && !found.isEmpty, "\(function.name)")
        for text in function.expected {
          #expect(found.contains { $0.contains(text) }, "\(function.name): \(found.joined(separator: "\n"))")
        }
      }
    }
  }

  /// Sums up the compiler's counter by function.
  private static func scopes(in folder: URL, _ files: [QueryFile]) throws -> [String: Int] {
    var scopes: [String: Int] = [:]
    let traces = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.lastPathComponent.hasPrefix("trace-") }
    for file in files {
      let trace = traces.filter { $0.lastPathComponent.contains(file.name) }
      let text = try String(contentsOf: try #require(trace.first), encoding: .utf8)
      var current: String?
      for row in text.split(separator: "\n").dropFirst() {
        // Time,Live,IsEntry,EventName,CounterName,CounterDelta,CounterValue,EntityName,EntityRange
        let fields = row.split(separator: ",", maxSplits: 8, omittingEmptySubsequences: false)
        guard fields.count == 9 else { continue }
        if fields[3] == "\"typecheck-decl\"" {
          current = nil
        } else if let line = file.line(of: fields[8]) {
          current = file.functions.first { $0.lines.contains(line) }?.name
        }
        guard fields[4] == "\"Sema.NumConstraintScopes\"", let current, let count = Int(fields[5]) else { continue }
        scopes[current, default: 0] += count
      }
    }
    return scopes
  }
}

/// The functions of a file, their lines, and the texts that are expected of the compiler.
private struct QueryFile {
  struct Function {
    let name: String
    var lines: Range<Int>
    let expected: [String]
  }

  let name: String
  private(set) var functions: [Function] = []

  init(_ name: String) throws {
    self.name = name
    let text = try String(contentsOf: ClientCode.file(name), encoding: .utf8)
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if let name = line.wholeMatch(of: /func (\w+)\(.*/)?.output.1 {
        let comment = line.components(separatedBy: "  // ").dropFirst().joined()
        let expected = comment.isEmpty ? [] : comment.components(separatedBy: "; ")
        functions.append(Function(name: String(name), lines: index + 1..<index + 2, expected: expected))
      } else if !functions.isEmpty, line == "}" || line.hasPrefix(" ") {
        functions[functions.count - 1].lines = functions[functions.count - 1].lines.lowerBound..<index + 2
      }
    }
  }

  /// The line of this file that a message or a statistic is about.
  func line(of text: Substring) -> Int? {
    guard let start = text.range(of: name + ":")?.upperBound else { return nil }
    return Int(text[start...].prefix { $0.isNumber })
  }
}
