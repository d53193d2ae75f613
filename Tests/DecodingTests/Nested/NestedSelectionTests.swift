import Foundation
import Testing

@testable import Decoding

@Suite struct NestedSelectionTests {
  let text = """
    {"volumeInfo": {"industryIdentifiers": [
      {"type": "ISBN_10", "identifier": "1"}, null, 7, {"identifier": "none"}, {"type": 13},
      {"type": "ISBN_13", "identifier": "2"}, {"type": "ISBN_13", "identifier": "3"}],
     "text": "x", "nothing": null},
     "rows": [{"n": 1, "big": 9007199254740993, "ok": true}, {"n": 2.5, "big": 9007199254740992, "ok": false, "m": 2.5},
      {"n": "2", "s": "b"}, {"n": null}],
     "map": {"b": {"v": 2}, "a": {"v": 1}, "c": 3}}
    """

  func all<T: Decodable>(_ type: T.Type, _ path: String) throws -> [T] {
    let path = try JSONPath(parsing: path)
    return try Probe.json(text) { try $0.decodeAll(type, at: path) }
  }

  func first<T: Decodable>(_ type: T.Type, _ path: String) throws -> T? {
    let path = try JSONPath(parsing: path)
    return try Probe.json(text) { try $0.decodeIfPresent(type, at: path) }
  }

  @Test func `a filter finds the element by a field`() throws {
    #expect(try first(String.self, "volumeInfo.industryIdentifiers[?@.type=='ISBN_13'].identifier") == "2")
    #expect(try first(String.self, "volumeInfo.industryIdentifiers[?@.type=='ISSN'].identifier") == nil)
    #expect(try all(String.self, "volumeInfo.industryIdentifiers[?@.type=='ISBN_13'].identifier") == ["2", "3"])
  }

  @Test(arguments: [
    ("rows[?@.n == 1].n", 1), ("rows[?@.n < 2].n", 1), ("rows[?@.n >= 2.5].n", 1), ("rows[?@.n == '2'].s", 1),
    ("rows[?@.n == null]", 1), ("rows[?@.n != null]", 3), ("rows[?@.m == @.n]", 1), ("rows[?@.ok == true]", 1),
    ("rows[?@.ok]", 2), ("rows[?!@.ok]", 2), ("rows[?@.ok == false || @.s == 'b']", 2), ("rows[?@.s > 'a']", 1),
    ("rows[?@.n == 1 && @.ok == true]", 1), ("rows[?!(@.n == 1)]", 3), ("rows[?@.big == 9007199254740993]", 1),
    ("rows[?@.missing == @.absent]", 4), ("rows[?@.n <= '2']", 1), ("rows[?@['n', 'm'] ]", 4),
    ("rows[*]", 4), ("rows[1:]", 3), ("rows[::-1]", 4), ("rows[0, 2, 9]", 2), ("rows['n', 0]", 1), ("map[*]", 3),
    ("map[?@.v > 1].v", 1), ("map.*.v", 2), ("rows[*].x", 0), ("volumeInfo.text[*]", 0), ("rows[?@[*]]", 4),
  ])
  func `paths with a wildcard, slice or filter follow RFC 9535`(path: String, count: Int) throws {
    struct Anything: Decodable { init(from decoder: any Decoder) throws {} }
    #expect(try all(Anything?.self, path).count == count, "\(path)")
  }

  @Test func `selected elements are in document order, and members ordered by name`() throws {
    #expect(try all(Int.self, "map.*.v") == [1, 2])
    #expect(try all(Double.self, "rows[1::-1].n") == [2.5, 1])
  }

  @Test func `before its first wildcard or filter a path is strict`() throws {
    #expect(try first(Int.self, "volumeInfo.missing[*]") == nil)
    #expect(try first(Int.self, "volumeInfo.nothing.x[*]") == nil)
    #expect(throws: DecodingError.self) { try first(Int.self, "volumeInfo.text.x[*]") }
    #expect(throws: DecodingError.self) { try all(Int.self, "volumeInfo.missing[*]") }
  }

  @Test func `decoding a path without a match throws`() throws {
    #expect(throws: DecodingError.self) { try Probe.json(text) { try $0.decode(Int.self, at: "rows[?@.n == 5].n") } }
    #expect(throws: DecodingError.self) { try Probe.json(text) { try $0.decode(Int.self, at: "rows[*].ok") } }
  }

  @Test(arguments: [
    "$..n", "rows[?@..n]", "rows[?$.map]", "rows[?length(@.s) == 1]", "rows[?match(@.s, 'b')]", "rows[?count(@.*) > 1]",
    "rows[?@.n == 1 || search(@.s, 'b')]", "rows[?!$.x]", "rows[?@[?@..x]]",
  ])
  func `a path that needs the document's bytes is refused on other decoders`(path: String) throws {
    let parsed = try JSONPath(parsing: path)
    let data = Data(text.utf8)
    let error = try #require(throws: DecodingError.self) {
      try JSONDecoder().decode(Probe<Int?>.self, from: data, configuration: { try $0.decodeIfPresent(at: parsed) })
    }
    guard case .dataCorrupted(let context) = error else { throw error }
    #expect(
      context.debugDescription.contains("needs the document's bytes") || context.debugDescription.contains("need the"))
    #expect(LocatedDecodingError(error, in: data).kind == .unsupportedPath)
    // A decoder over bytes has them, but not with names that a key strategy has converted.
    let all: (NestedDecoder) throws -> [JSONValue] = { try $0.decodeAll(at: parsed) }
    let found = try JSONBytesDecoder().decode(Probe.self, from: data, configuration: all)
    #expect(found.value == (try JSONDocument(data).values(at: parsed)))
    let converting = JSONBytesDecoder()
    converting.keyDecodingStrategy = .convertFromSnakeCase
    let refusal = #expect(throws: LocatedDecodingError.self) {
      try converting.decode(Probe.self, from: data, configuration: all)
    }
    #expect(refusal?.kind == .unsupportedPath && refusal?.expected?.contains("key strategy") == true)
  }

  /// The value of `a` in the second element, as a type inside others sees it.
  struct Around<Value>: DecodableWithConfiguration {
    enum Key: CodingKey { case a }
    let value: Value
    init(from decoder: any Decoder, configuration body: (NestedDecoder) throws -> Value) throws {
      var elements = try decoder.unkeyedContainer()
      _ = try elements.superDecoder()
      let object = try elements.superDecoder().container(keyedBy: Key.self)
      value = try body(try object.superDecoder(forKey: .a).nested())
    }
  }

  @Test(.enabled(if: Fixtures.file("jsonpath/cts.json") != nil, "the JSONPath compliance suite is not there"))
  func `a path that needs bytes selects inside a document what it selects in a document of its own`() throws {
    struct Case: Decodable { var selector: String, document: RawJSON? }
    let file = try #require(Fixtures.file("jsonpath/cts.json"))
    let cases = try JSONDecoder().decode([Case].self, from: Data(contentsOf: file), at: "tests")
    var count = 0
    for test in cases {
      guard let document = test.document, let path = try? JSONPath(parsing: test.selector),
        path.compiled.nestingRefusal != nil, "{[".utf8.contains(document.data.first ?? 0)
      else { continue }
      count += 1
      let expected = try JSONDocument(document.data).values(JSONValue.self, at: path)
      let outer = Data("[7, {\"a\": \(document), \"b\": 1}, [8]]".utf8)
      let body: (NestedDecoder) throws -> [JSONValue] = { json in
        #expect(try json.decodeIfPresent(JSONValue.self, at: path) == (expected.first == .null ? nil : expected.first))
        let lossy = try json.decodeLossy(JSONValue.self, at: path)
        #expect(lossy.values == expected && lossy.drops.isEmpty)
        return try json.decodeAll(at: path)
      }
      let around = try JSONBytesDecoder().decode(Around.self, from: outer, configuration: body)
      #expect(around.value == expected, "\(test.selector)")
    }
    #expect(count > 90)
  }

  struct Deep: Decodable {
    var ids: Int
    var long: String?
    enum CodingKeys: String, NestedCodingKey { case ids = "a..id", long = "a[?length(@.s) > 2].s" }
  }

  @Test func `errors about a value that a descendant segment found have its path and position`() throws {
    let text = #"[{"a":[{"id":1},{"s":"abc","b":{"id":"x"}}]}]"#
    let found = try JSONBytesDecoder().decode([Deep].self, from: Data(text.utf8))
    #expect(found[0].ids == 1 && found[0].long == "abc")
    let data = Data(text.replacing("1", with: "[]").utf8)
    let failure = #expect(throws: LocatedDecodingError.self) { try JSONBytesDecoder().decode([Deep].self, from: data) }
    #expect(failure?.kind == .mismatch && failure?.path == "[0].a[0].id" && failure?.position?.offset == 13)
    let body: (NestedDecoder) throws -> Lossy<Int> = { try $0.decodeLossy(at: "$..id") }
    let lossy = try JSONBytesDecoder().decode(Probe.self, from: data, configuration: body).value
    #expect(lossy.drops.map(\.path) == ["[0].a[0].id", "[0].a[1].b.id"] && lossy.values.isEmpty)
    #expect(lossy.drops.map(\.failure.path) == lossy.drops.map(\.path))
    let malformed = Data(text.replacing("}]}", with: "}}}").utf8)
    let broken = #expect(throws: LocatedDecodingError.self) {
      try JSONBytesDecoder().decode([Deep].self, from: malformed)
    }
    #expect(broken?.kind == .malformed)
    let none = #expect(throws: LocatedDecodingError.self) {
      try JSONBytesDecoder().decode([Deep].self, from: Data(#"[{"a":{}}]"#.utf8))
    }
    #expect(none?.kind == .missing && none?.path == "[0].a..id")
  }

  @Test func `comparing objects is refused`() throws {
    #expect(throws: DecodingError.self) { try all(Int.self, "map[?@ == @]") }
  }

  @Test func `all paths are supported on bytes`() throws {
    let data = Data(text.utf8)
    #expect(try JSONDecoder().decode(Int.self, from: data, at: "$..v") == 2)
    #expect(try JSONDecoder().decode(String.self, from: data, at: "rows[?length(@.s) == 1].s") == "b")
    #expect(
      try JSONDecoder().decode(
        String.self, from: data, at: "volumeInfo.industryIdentifiers[?@.type=='ISBN_13'].identifier") == "2")
    let missing = #expect(throws: LocatedDecodingError.self) {
      try JSONDecoder().decode(String.self, from: data, at: "rows[?@.n == 5]")
    }
    #expect(missing?.kind == .missing)
    let strict = #expect(throws: LocatedDecodingError.self) {
      try JSONDecoder().decode(String.self, from: data, at: "volumeInfo.text.x[*]")
    }
    #expect(strict?.kind == .mismatch)
    #expect(strict?.path == "volumeInfo.text")
    let inside = #expect(throws: LocatedDecodingError.self) {
      try JSONDecoder().decode(Int.self, from: data, at: "rows[?@.s].s")
    }
    #expect(inside?.path == "rows[2].s")
  }

  @Test func `filters work on a property list`() throws {
    struct Found: Decodable {
      var names: [String]
      init(from decoder: any Decoder) throws {
        names = try decoder.nested().decodeAll(at: "items[?@.size > 1 && @.on == true].name")
      }
    }
    let list: [String: Any] = [
      "items": [
        ["name": "a", "size": 1, "on": true], ["name": "b", "size": 2, "on": true],
        ["name": "c", "size": 3, "on": false],
      ]
    ]
    for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
      let data = try PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0)
      #expect(try PropertyListDecoder().decode(Found.self, from: data).names == ["b"])
    }
  }

  @Test func `a number that does not fit is unequal to any number in a filter`() throws {
    struct Found: Decodable {
      let names: [String]
      init(from decoder: any Decoder) throws {
        names = try decoder.nested().decodeAll(String.self, at: "$[?@.a=='x' || @.a>7].name")
      }
    }
    let data = Data(#"[{"a":1e400,"name":"A"},{"a":"\ud800","name":"B"},{"a":"x","name":"C"},{"a":8,"name":"D"}]"#.utf8)
    #expect(try JSONDecoder().decode(Found.self, from: data).names == ["C", "D"])
    #expect(try JSONBytesDecoder().decode(Found.self, from: data).names == ["C", "D"])
  }

  struct Doubling: Decodable {
    init(from decoder: any Decoder) throws {
      let path = try JSONPath(parsing: String(repeating: "[0,0]", count: 60))
      _ = try decoder.nested().decodeAll(Int.self, at: path)
    }
  }

  @Test func `a path that selects one value repeatedly reaches a limit on any decoder`() throws {
    let data = Data((String(repeating: "[", count: 61) + "1" + String(repeating: "]", count: 61)).utf8)
    let ours = #expect(throws: LocatedDecodingError.self) { try JSONBytesDecoder().decode(Doubling.self, from: data) }
    let theirs = #expect(throws: LocatedDecodingError.self) {
      try JSONDecoder().decode(Doubling.self, from: data, at: "$")
    }
    for failure in [ours, theirs] {
      #expect(failure?.kind == .limit)
      #expect(failure?.description.contains("needs too much work") == true)
    }
  }
}
