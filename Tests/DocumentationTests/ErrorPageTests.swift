import Foundation
import LarderTestSupport
import Testing

/// Every error that a module can throw has a remedy on its page "When something goes wrong".
@Suite struct ErrorPageTests {
  private func page(of module: String) throws -> String {
    let path = "Sources/\(module)/\(module).docc/WhenSomethingGoesWrong.md"
    return try String(contentsOf: Compiler.packageRoot.appending(path: path), encoding: .utf8)
  }

  @Test(arguments: ["Decoding", "FetchKit", "Persistence"])
  func `the page of errors names every public error type and each of its cases`(module: String) throws {
    let page = try page(of: module)
    let types = try ErrorType.all(in: module)
    #expect(types.count > 5 && types.flatMap(\.cases).count > 5, "\(types)")
    for type in types {
      #expect(!type.cases.isEmpty || page.contains("``\(type.name)"), "\(type.file): \(type.name)")
      for name in type.cases {
        let link = try Regex("``(\\w+/)*\(type.name)(-swift\\.enum)?/\(name)(\\([\\w:]*\\))?``")
        #expect(page.contains(link), "\(type.file): \(type.name).\(name)")
      }
    }
  }

  @Test(arguments: ["Decoding", "FetchKit", "Persistence"])
  func `the comment of every public error type links to the page of errors`(module: String) throws {
    for type in try ErrorType.all(in: module) where type.isLinked == false {
      Issue.record("\(type.file): \(type.name) does not link to <doc:WhenSomethingGoesWrong>")
    }
  }

  @Test func `error types are found with their cases, nested types and comments`() {
    let source = """
      /// One.
      ///
      /// See <doc:WhenSomethingGoesWrong>.
      public enum AError: Error, Sendable {
        case one
        /// Two.
        case two(Int), three

        var text: String {
          switch self {
          case .one: "1"
          default: ""
          }
        }
      }

      /// Carried.
      public struct BFailure: Sendable {
        /// Why.
        public enum Reason: Hashable {
          case four
        }
      }
      """
    let types = ErrorType.all(in: source, file: "A.swift")
    #expect(types.map(\.name) == ["AError", "BFailure", "BFailure/Reason"])
    #expect(types.map(\.cases) == [["one", "two", "three"], [], ["four"]])
    #expect(types.map(\.isLinked) == [true, false, nil])
    #expect(ErrorType.all(in: "public struct Page {}\npublic enum Kind { case a }\n", file: "B.swift").isEmpty)
  }
}
