import Foundation
import LarderTestSupport
import Testing

/// An app's file imports SwiftUI together with our modules, and names types of both without qualifying them.
@Suite struct PublicNameTests {
  private static var declaration: Regex<(Substring, Substring)> {
    #/(?:@\w+(?:\([^)]*\))? )*(?:public|open) (?:\w+ )*?(?:struct|class|enum|protocol|actor|typealias) (\w+)/#
  }

  private func names(in folder: String) throws -> Set<String> {
    let root = Compiler.packageRoot.appending(path: folder)
    let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
    var names: Set<String> = []
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == "swift" else { continue }
      for line in try String(contentsOf: file, encoding: .utf8).utf8.split(separator: UInt8(ascii: "\n")) {
        // Matching every line would take ten seconds.
        guard ["public ", "open ", "@"].contains(where: { line.starts(with: $0.utf8) }) else { continue }
        let line = Substring(line)
        if let match = line.prefixMatch(of: Self.declaration) { names.insert(String(match.output.1)) }
      }
    }
    return names
  }

  private static let modules = [
    "FetchKit", "Persistence", "Decoding", "FetchKitTesting", "PersistenceTesting", "PersistenceUI", "SyncKit",
    "SyncTesting",
  ]

  @Test(arguments: modules)
  func `no public type shares its name with a type of SwiftUI, Combine or Observation`(module: String) throws {
    let ours = try names(in: "Sources/\(module)")
    let theirs = try names(in: "Tests/Consumer/Sources/StandIns")
    #expect(theirs.isSuperset(of: ["FetchRequest", "FetchedResults", "Section", "Link", "Transaction", "Publisher"]))
    #expect(ours.count > (["FetchKit", "Persistence", "Decoding"].contains(module) ? 50 : 1))
    #expect(ours.intersection(theirs) == [])
  }

  @Test func `every public type is used in an example, or named in the text of a page`() throws {
    let code = try Snippet.all(in: Compiler.packageRoot).map(\.text).joined(separator: "\n")
    let known = Set(code.matches(of: #/\w+/#).map { String($0.0) }).union(try namesInPages())
    for module in Self.modules {
      #expect(try names(in: "Sources/\(module)").subtracting(known) == [], "\(module)")
    }
  }

  /// The words in the code spans of all pages, without the lists of topics, which name every type.
  private func namesInPages() throws -> Set<String> {
    var found: Set<String> = []
    for folder in ["Docs", "Sources"] {
      let root = Compiler.packageRoot.appending(path: folder)
      let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
      while let file = files?.nextObject() as? URL {
        guard file.pathExtension == "md" else { continue }
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") where !line.hasPrefix("- ``") {
          for span in line.matches(of: #/`+([^`]+)`/#) {
            found.formUnion(span.output.1.matches(of: #/\w+/#).map { String($0.0) })
          }
        }
      }
    }
    return found
  }
}
