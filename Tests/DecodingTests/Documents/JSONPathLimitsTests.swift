import Foundation
import Testing

@testable import Decoding

@Suite struct JSONPathLimitsTests {
  static let numbers = "[\(Array(repeating: "1", count: 10_000).joined(separator: ","))]"

  var document = JSONDocument(Data(numbers.utf8))

  func failure(_ path: JSONPath) -> LocatedDecodingError? {
    do throws(LocatedDecodingError) {
      _ = try document.values(Int.self, at: path)
      return nil
    } catch {
      return error
    }
  }

  @Test mutating func `a path that needs more work than its limit fails and says so`() throws {
    #expect(try document.values(Int.self, at: "$[*]").count == 10_000)
    document.limits.work = 100_000
    let stopped = try #require(failure("$[*]"))
    #expect(stopped.kind == .limit)
    #expect(stopped.path == "$[*]")
    #expect("\(stopped)".contains("too much work"))
    // Nothing but the first value is looked at.
    #expect(try document.decode(Int.self, at: "$[*]") == 1)
    #expect(try document.decode(Int.self, at: "[9999]") == 1)
  }

  @Test mutating func `a path that needs more time than its limit fails`() throws {
    document.limits.time = .zero
    let stopped = try #require(failure("$[*]"))
    #expect(stopped.kind == .limit && "\(stopped)".contains("too much time"))
    document.limits.time = .seconds(3600)
    #expect(try document.values(Int.self, at: "$[*]").count == 10_000)
  }

  @Test func `cancelling the task ends a path evaluation`() async {
    let document = document
    let result = await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return Result { () throws(LocatedDecodingError) in try document.values(Int.self, at: "$[*]") }
    }.value
    guard case .failure(let failure) = result else {
      Issue.record("it went on")
      return
    }
    #expect(failure.kind == .limit && failure.underlyingError is CancellationError)
  }

  @Test func `the default work limit grows with the document`() {
    #expect(JSONPathLimits().meter(bytes: 10).limit == 1 << 28)
    #expect(JSONPathLimits().meter(bytes: 10_000_000).limit == 640_000_000)
    #expect(JSONPathLimits().meter(bytes: .max).limit == .max)
    #expect(JSONPathLimits(work: 7).meter(bytes: .max).limit == 7)
  }

  @Test func `the error of a value that cannot be decoded has the document's path`() throws {
    let document = JSONDocument(Data(#"{"a": [{"b": 1}, {"b": [1, {"c": "x"}]}]}"#.utf8))
    struct Value: Decodable {
      init(from decoder: any Decoder) throws {
        guard var list = try? decoder.unkeyedContainer() else { return }
        _ = try list.decode(Int.self)
        _ = try list.decode([String: Int].self)
      }
    }
    let failure = try #require(throws: LocatedDecodingError.self) { try document.values(Value.self, at: "$..b") }
    #expect(failure.path == "a[1].b[1].c")
    let malformed = JSONDocument(Data(#"{"a": [{"b": 1}, {"b": [1, {"c": tru}]}]}"#.utf8))
    #expect(throws: LocatedDecodingError.self) { try malformed.values(Value.self, at: "$.a[*].b") }
  }
}
