import Foundation
import LarderTestSupport
import Testing

@testable import Decoding

@Suite struct JSONPatchTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var target: String
    var patch: String
    /// The result, or the error.
    var result: String?
    var error: JSONPatchError?

    init(_ target: String, _ patch: String, _ result: String) {
      (self.target, self.patch, self.result) = (target, patch, result)
    }

    init(_ target: String, _ patch: String, _ reason: JSONPatchError.Reason, at pointer: String, _ index: Int = 0) {
      (self.target, self.patch) = (target, patch)
      error = JSONPatchError(index: index, pointer: pointer, reason: reason)
    }

    var testDescription: String { patch }
  }

  /// The examples of RFC 6902, appendix A; A.13 is a document with a member twice, of which the first counts here.
  static let published = [
    Row(#"{"foo":"bar"}"#, #"[{"op":"add","path":"/baz","value":"qux"}]"#, #"{"foo":"bar","baz":"qux"}"#),
    Row(#"{"foo":["bar","baz"]}"#, #"[{"op":"add","path":"/foo/1","value":"qux"}]"#, #"{"foo":["bar","qux","baz"]}"#),
    Row(#"{"baz":"qux","foo":"bar"}"#, #"[{"op":"remove","path":"/baz"}]"#, #"{"foo":"bar"}"#),
    Row(#"{"foo":["bar","qux","baz"]}"#, #"[{"op":"remove","path":"/foo/1"}]"#, #"{"foo":["bar","baz"]}"#),
    Row(
      #"{"baz":"qux","foo":"bar"}"#, #"[{"op":"replace","path":"/baz","value":"boo"}]"#, #"{"baz":"boo","foo":"bar"}"#),
    Row(
      #"{"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}}"#,
      #"[{"op":"move","from":"/foo/waldo","path":"/qux/thud"}]"#,
      #"{"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}}"#),
    Row(
      #"{"foo":["all","grass","cows","eat"]}"#, #"[{"op":"move","from":"/foo/1","path":"/foo/3"}]"#,
      #"{"foo":["all","cows","eat","grass"]}"#),
    Row(
      #"{"baz":"qux","foo":["a",2,"c"]}"#,
      #"[{"op":"test","path":"/baz","value":"qux"},{"op":"test","path":"/foo/1","value":2}]"#,
      #"{"baz":"qux","foo":["a",2,"c"]}"#),
    Row(#"{"baz":"qux"}"#, #"[{"op":"test","path":"/baz","value":"bar"}]"#, .testFailed, at: "/baz"),
    Row(
      #"{"foo":"bar"}"#, #"[{"op":"add","path":"/child","value":{"grandchild":{}}}]"#,
      #"{"foo":"bar","child":{"grandchild":{}}}"#),
    Row(#"{"foo":"bar"}"#, #"[{"op":"add","path":"/baz","value":"qux","xyz":123}]"#, #"{"foo":"bar","baz":"qux"}"#),
    Row(#"{"foo":"bar"}"#, #"[{"op":"add","path":"/baz/bat","value":"qux"}]"#, .missing, at: "/baz/bat"),
    Row(#"{"foo":"bar"}"#, #"[{"op":"add","path":"/baz","value":"qux","op":"remove"}]"#, #"{"foo":"bar","baz":"qux"}"#),
    Row(#"{"/":9,"~1":10}"#, #"[{"op":"test","path":"/~01","value":10}]"#, #"{"/":9,"~1":10}"#),
    Row(#"{"/":9,"~1":10}"#, #"[{"op":"test","path":"/~01","value":"10"}]"#, .testFailed, at: "/~01"),
    Row(
      #"{"foo":["bar"]}"#, #"[{"op":"add","path":"/foo/-","value":["abc","def"]}]"#, #"{"foo":["bar",["abc","def"]]}"#),
  ]

  static let further = [
    // The whole document, names that look like indices, empty names, and null.
    Row("1", #"[{"op":"add","path":"","value":[2]},{"op":"replace","path":"/0","value":null}]"#, "[null]"),
    Row(#"{"a":1}"#, #"[{"op":"replace","path":"","value":2},{"op":"remove","path":""}]"#, "null"),
    Row(
      #"{"0":{"-":1}}"#, #"[{"op":"replace","path":"/0/-","value":2},{"op":"add","path":"/0/1","value":3}]"#,
      #"{"0":{"-":2,"1":3}}"#),
    Row(
      #"{"":{"":1}}"#, #"[{"op":"remove","path":"//"},{"op":"add","path":"/a\/b~1~0","value":1}]"#, .missing,
      at: "/a/b~1~0", 1),
    Row(#"{"":{"":1}}"#, #"[{"op":"remove","path":"//"}]"#, #"{"":{}}"#),
    Row("{}", #"[{"op":"add","path":"/a~1b~0","value":null}]"#, #"{"a/b~":null}"#),
    Row("[1]", #"[{"op":"add","path":"/1","value":2},{"op":"add","path":"/0","value":0}]"#, "[0,1,2]"),
    Row(#"{"a":1}"#, #"[{"op":"add","path":"/a","value":[1.5]}]"#, #"{"a":[1.5]}"#),
    Row("[1.0]", #"[{"op":"test","path":"","value":[1]},{"op":"test","path":"/0","value":1e0}]"#, "[1.0]"),
    Row(#"{"a":{"b":1,"c":2}}"#, #"[{"op":"test","path":"/a","value":{"c":2,"b":1}}]"#, #"{"a":{"b":1,"c":2}}"#),
    Row(
      #"{"a":[1]}"#, #"[{"op":"copy","from":"/a","path":"/b"},{"op":"add","path":"/b/-","value":2}]"#,
      #"{"a":[1],"b":[1,2]}"#),
    Row(#"{"a":{"b":1}}"#, #"[{"op":"copy","from":"/a","path":"/a/c"}]"#, #"{"a":{"b":1,"c":{"b":1}}}"#),
    Row(#"{"a":1}"#, #"[{"op":"move","from":"/a","path":"/a"}]"#, #"{"a":1}"#),
    Row(#"{"a":{"b":1}}"#, #"[{"op":"move","from":"/a/b","path":"/a"}]"#, #"{"a":1}"#),
    Row(#"{"a":{"b":1}}"#, #"[{"op":"move","from":"/a","path":"/a/c"}]"#, .intoItself, at: "/a/c"),
    Row(#"{"a":1}"#, #"[{"op":"move","from":"","path":"/b"}]"#, .intoItself, at: "/b"),
    Row(#"{"a":1,"ab":{}}"#, #"[{"op":"move","from":"/a","path":"/ab/c"}]"#, #"{"ab":{"c":1}}"#),
    // What is refused, and where.
    Row("[1,2]", #"[{"op":"add","path":"/3","value":1}]"#, .invalidIndex, at: "/3"),
    Row("[1,2]", #"[{"op":"add","path":"/01","value":1}]"#, .invalidIndex, at: "/01"),
    Row("[1,2]", #"[{"op":"add","path":"/1e0","value":1}]"#, .invalidIndex, at: "/1e0"),
    Row("[1,2]", #"[{"op":"add","path":"/","value":1}]"#, .invalidIndex, at: "/"),
    Row("[1,2]", #"[{"op":"replace","path":"/2","value":1}]"#, .missing, at: "/2"),
    Row("[1,2]", #"[{"op":"remove","path":"/-"}]"#, .invalidIndex, at: "/-"),
    Row("[1,2]", #"[{"op":"remove","path":"/99999999999999999999"}]"#, .invalidIndex, at: "/99999999999999999999"),
    Row("[1,2]", #"[{"op":"remove","path":"/0/0"}]"#, .notAContainer, at: "/0/0"),
    Row(#"{"a":null}"#, #"[{"op":"add","path":"/a/b","value":1}]"#, .notAContainer, at: "/a/b"),
    Row("{}", #"[{"op":"add","path":"a","value":1}]"#, .invalidPointer, at: "a"),
    Row("{}", #"[{"op":"add","path":"/~","value":1}]"#, .invalidPointer, at: "/~"),
    Row("{}", #"[{"op":"add","path":"/~2","value":1}]"#, .invalidPointer, at: "/~2"),
    Row("{}", #"[{"op":"copy","from":"/a","path":"/b"}]"#, .missing, at: "/a"),
    Row("{}", #"[{"op":"replace","path":"/a","value":1}]"#, .missing, at: "/a"),
    Row("{}", #"[{"op":"test","path":"/a","value":null}]"#, .missing, at: "/a"),
    Row(
      #"{"a":[1,{"b":2}]}"#,
      #"[{"op":"remove","path":"/a/0"},{"op":"add","path":"/a/0/c","value":3},{"op":"remove","path":"/a/1"}]"#,
      .missing, at: "/a/1", 2),
  ]

  @Test(arguments: published + further, TestedDecoder.all)
  func `a patch gives its result, or an error with its location and no change`(
    row: Row, decoder: TestedDecoder
  ) throws {
    let patch = try decoder.decode(JSONPatch.self, row.patch)
    var value = try JSONValue(parsing: row.target)
    do throws(JSONPatchError) {
      try patch.apply(to: &value)
      #expect(value.description == row.result)
    } catch {
      #expect(error == row.error && value.description == row.target && !"\(error)".isEmpty)
    }
    #expect(try JSONDecoder().decode(JSONPatch.self, from: JSONEncoder().encode(patch)) == patch)
  }

  @Test(
    arguments: [
      #"{}"#, #"[{"op":"spam","path":"/a"}]"#, #"[{"path":"/a"}]"#, #"[{"op":"add","path":"/a"}]"#,
      #"[{"op":"remove"}]"#,
      #"[{"op":"copy","path":"/a"}]"#, #"[{"op":"remove","path":1}]"#, "[1]",
    ], TestedDecoder.all) func `an invalid patch document is refused`(text: String, decoder: TestedDecoder)
  {
    #expect(throws: (any Error).self) { try decoder.decode(JSONPatch.self, text) }
  }

  @Test func `null is a value for a patch`() throws {
    let patch = try JSONDecoder().decode(JSONPatch.self, from: Data(#"[{"op":"add","path":"/a","value":null}]"#.utf8))
    #expect(patch == [.add(path: "/a", value: .null)])
  }

  @Test func `random operations on random values never crash, and apply completely or not at all`() throws {
    var random = SplitMix.printed()
    var (applied, failed) = (0, 0)
    for _ in 0..<1500 {
      guard let start = try? JSONValue(parsing: RandomDocument(seed: random.next()).text) else { continue }
      let nodes = try JSONDocument(start.data).nodes(at: "$..*")
      func pointer() -> String {
        let pointer = nodes.randomElement(using: &random)?.path.pointer ?? ""
        return pointer + (["", "", "", "/0", "/-", "/a", "/~", "/b/c"].randomElement(using: &random) ?? "")
      }
      let operations: [JSONPatch.Operation] = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        switch Int.random(in: 0..<5, using: &random) {
        case 0: .add(path: pointer(), value: [1])
        case 1: .remove(path: pointer())
        case 2: .replace(path: pointer(), value: ["a": .null])
        case 3: .move(from: pointer(), path: pointer())
        default: .copy(from: pointer(), path: pointer())
        }
      }
      var value = start
      do throws(JSONPatchError) {
        try JSONPatch(operations).apply(to: &value)
        applied += 1
        // One by one they give the same.
        var single = start
        for operation in operations { try JSONPatch([operation]).apply(to: &single) }
        #expect(single.description == value.description)
      } catch {
        failed += 1
        #expect(value.description == start.description && operations.indices.contains(error.index))
      }
      #expect(try JSONValue(parsing: value.description) == value)
    }
    #expect(applied > 50 && failed > 50)
  }

  @Test func `patching deep values needs no stack`() async throws {
    let isRight = try await onSmallStack {
      let depth = 5000
      var value = (0..<depth).reduce(JSONValue(1)) { inner, _ in ["a": inner] }
      let pointer = String(repeating: "/a", count: depth)
      try JSONPatch([
        .test(path: pointer, value: 1), .replace(path: pointer, value: 2), .copy(from: pointer, path: "/b"),
      ])
      .apply(to: &value)
      return value["b"] == 2 && value["a"]?.description.contains("2") == true
    }
    #expect(isRight)
  }

  @Test func `repeated copies reach a limit without exhausting memory`() throws {
    var value: JSONValue = ["a": [1, 2, 3, 4]]
    let patch = JSONPatch((0..<60).map { .copy(from: "/a", path: "/a/\($0 % 4)") })
    let error = #expect(throws: JSONPatchError.self) { try patch.apply(to: &value) }
    #expect(error?.reason == .tooManyCopies && value == ["a": [1, 2, 3, 4]])
  }

  @Test func `patching an unshared value does not copy it`() throws {
    var value: JSONValue = ["a": .array((0..<50_000).map { JSONValue($0) })]
    // Each operation would copy 50 000 elements.
    try JSONPatch((0..<20_000).map { .replace(path: "/a/\($0)", value: .null) }).apply(to: &value)
    #expect(value["a"]?[19_999] == JSONValue.null && value["a"]?[20_000] == 20_000)
  }

  @Test func `names are equal only if their code points are`() throws {
    var value: JSONValue = ["e\u{301}": 1]
    try JSONPatch([.move(from: "/e\u{301}", path: "/\u{E9}")]).apply(to: &value)
    #expect(value == ["\u{E9}": 1])
  }

  @Test(arguments: [false, true]) func `removals index each name once, from either end`(isReversed: Bool) throws {
    let count = 2000
    var value = JSONValue.object(JSONObject((0..<count).map { ("\($0)", JSONValue($0)) }))
    let removed = (0..<count).filter { $0 % 10 != 0 }
    try JSONPatch((isReversed ? removed.reversed() : removed).map { .remove(path: "/\($0)") }).apply(to: &value)
    let object = try #require(value.object)
    #expect(object.storage.indexedNames <= 2 * count)
    #expect(object.names == stride(from: 0, to: count, by: 10).map { "\($0)" })
    #expect(object.names.allSatisfy { object[$0] == JSONValue(Int($0) ?? -1) })
  }

  @Test func `an object has the expected members after random additions and removals`() {
    var random = SplitMix.printed()
    for _ in 0..<200 {
      var object = JSONObject()
      var expected: [(name: String, value: Int)] = []
      for value in 0..<Int.random(in: 1...200, using: &random) {
        let name = "\(Int.random(in: 0..<60, using: &random))"
        let place = expected.firstIndex { $0.name == name }
        #expect(object[name] == place.map { JSONValue(expected[$0].value) })
        if let place, Bool.random(using: &random) {
          object[name] = nil
          expected.remove(at: place)
        } else {
          object[name] = JSONValue(value)
          if let place { expected[place].value = value } else { expected.append((name, value)) }
        }
      }
      #expect(object.map(\.name) == expected.map(\.name) && object.map(\.value) == expected.map { JSONValue($0.value) })
    }
  }

  @Test func `a patch keeps the parts of a typed value that it does not touch`() throws {
    struct Typed: Codable {
      var title: String
      var extra: JSONValue
    }
    let json = #"{"title":"a","extra":{"z":1e400,"a":0.12345678901234567890123456789012345678901234567890}}"#
    let value = try JSONBytesDecoder().decode(Typed.self, from: Data(json.utf8))
    let patched = try JSONPatch([.replace(path: "/title", value: "b")]).applied(encoding: value)
    #expect(patched.title == "b" && patched.extra.description == value.extra.description)
  }

  @Test func `a patch of a typed value changes its encoded form`() throws {
    struct Book: Codable, Equatable {
      var title: String
      var released: Date
    }
    let encoder = JSONBytesEncoder()
    encoder.dateEncodingStrategy = .secondsSince1970
    let decoder = JSONBytesDecoder()
    decoder.dateDecodingStrategy = .secondsSince1970
    let book = Book(title: "E", released: Date(timeIntervalSince1970: 1))
    let patch: JSONPatch = [.test(path: "/released", value: 1), .replace(path: "/title", value: "Emma")]
    #expect(try patch.applied(encoding: book, by: encoder, decoder: decoder).title == "Emma")
    #expect(throws: LocatedDecodingError.self) { try JSONPatch([.remove(path: "/title")]).applied(encoding: book) }
    #expect(throws: JSONPatchError.self) { try patch.applied(encoding: book) }
  }
}
