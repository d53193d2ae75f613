import Foundation
import Testing

@testable import Decoding

/// The compliance suite of RFC 9535, read from its own bytes: its documents are evaluated where they stand.
@Suite(.enabled(if: Fixtures.file("jsonpath/cts.json") != nil, "the JSONPath compliance suite is not there"))
struct ComplianceTests {
  struct Case: Decodable {
    var name: String
    var selector: String
    var isInvalid: Bool?
    var paths: [String]?
    var alternatives: [[String]]?

    enum CodingKeys: String, CodingKey {
      case name, selector
      case isInvalid = "invalid_selector"
      case paths = "result_paths"
      case alternatives = "results_paths"
    }
  }

  @Test func `all 703 tests of the compliance suite pass on bytes`() throws {
    let file = try #require(Fixtures.file("jsonpath/cts.json"))
    let data = try Data(contentsOf: file)
    let cases = try JSONDecoder().decode([Case].self, from: data, at: "tests")
    #expect(cases.count == 703)
    let starts = try data.withUnsafeBytes { bytes in
      try select("$.tests[*]", in: bytes).map(\.range.lowerBound)
    }
    for (index, test) in cases.enumerated() {
      if test.isInvalid == true {
        #expect(throws: JSONPathError.self, "\(test.name): \(test.selector)") { try JSONPath(parsing: test.selector) }
        continue
      }
      let path = try JSONPath(parsing: test.selector)
      // What is printed means the same.
      #expect(try JSONPath(parsing: path.description) == path, "\(test.name)")

      try data.withUnsafeBytes { bytes in
        let document = try Self.offset(of: "document", from: starts[index], in: bytes)
        let selected = try select(path, from: document, in: bytes)
        let paths = selected.map(\.path.description)
        let alternatives = test.alternatives ?? [test.paths ?? []]
        #expect(alternatives.contains(paths), "\(test.name): \(test.selector) gave \(paths)")

        let values = selected.map { Self.value(bytes, $0.range) }
        let name = test.alternatives == nil ? "result" : "results"
        let expected = try expectedValues(name, from: starts[index], in: bytes)
        #expect(try expected.contains { try text($0) == text(values) }, "\(test.name): \(test.selector) gave \(values)")
      }
    }
  }

  func expectedValues(_ name: String, from start: Int, in bytes: UnsafeRawBufferPointer) throws -> [[Any]] {
    var reader = ByteReader(bytes, at: try Self.offset(of: name, from: start, in: bytes))
    let start = reader.offset
    try reader.skipValue()
    let value = try #require(Self.value(bytes, start..<reader.offset) as? [Any])
    return name == "result" ? [value] : try #require(value as? [[Any]])
  }

  func text(_ values: [Any]) throws -> Data {
    try JSONSerialization.data(withJSONObject: values, options: .sortedKeys)
  }

  static func offset(of path: String, from start: Int, in bytes: UnsafeRawBufferPointer) throws -> Int {
    try #require(try select(try JSONPath(parsing: path), from: start, in: bytes).first).range.lowerBound
  }

  static func value(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Any {
    (try? JSONSerialization.jsonObject(with: Data(bytes[range]), options: .fragmentsAllowed)) ?? "unreadable"
  }
}
