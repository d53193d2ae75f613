import Decoding
import Foundation
import Testing

@Suite struct LocatedDecodingErrorTests {
  struct Person: Decodable {
    enum Role: String, Decodable { case admin, guest }
    var name: String
    var age: UInt8
    var role: Role?
    var tags: [String]?
  }

  func failure<T: Decodable>(_ type: T.Type, _ text: String) throws -> LocatedDecodingError {
    let data = Data(text.utf8)
    let error = try #require(throws: (any Error).self) { try JSONDecoder().decode(type, from: data) }
    return LocatedDecodingError(error, in: data)
  }

  @Test func `the error for a missing key lists its siblings`() throws {
    let failure = try failure([Person].self, #"[{"name": "A", "age": 1}, {"nmae": "B", "age": 2}]"#)
    #expect(failure.kind == .missing)
    #expect(failure.path == "[1].name")
    #expect(failure.siblings == ["nmae", "age"])
    #expect(failure.position?.offset == 26)
  }

  @Test func `null and a value of the wrong kind are different errors`() throws {
    let null = try failure(Person.self, #"{"name": null, "age": 1}"#)
    #expect(null.kind == .null)
    #expect(null.path == "name")
    #expect(null.expected == "String")
    let wrong = try failure(Person.self, #"{"name": "A", "age": 1, "tags": ["x", 7]}"#)
    #expect(wrong.kind == .mismatch)
    #expect(wrong.path == "tags[1]")
    #expect(wrong.found == "a number")
    let object = try failure(Person.self, #"[1]"#)
    #expect(object.kind == .mismatch)
    #expect(object.path == "$")
    #expect(object.expected == "an object")
    #expect(object.found == "an array")
    let array = try failure(Person.self, #"{"name": "A", "age": 1, "tags": {}}"#)
    #expect(array.expected == "an array")
    #expect(array.found == "an object")
  }

  @Test func `an array that ends too early is reported as a missing element`() throws {
    struct Pair: Decodable {
      init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        _ = try container.decode(Int.self)
        _ = try container.decode(Int.self)
      }
    }
    let failure = try failure([String: Pair].self, #"{"p": [1]}"#)
    #expect(failure.kind == .missing)
    #expect(failure.path == "p[1]")
  }

  @Test(arguments: [
    (#"{"name": "A", "age": 1,}"#, 23, "$"),
    (#"{"name": "A" "age": 1}"#, 13, "$"),
    (#"{"name": "A", "age": 01}"#, 22, "$['age']"),
    (#"{"name": "\q", "age": 1}"#, 11, "$['name']"),
    (#"{"name": "A", "age": 1, "tags": ["x", tru]}"#, 41, "$['tags'][1]"),
    (#"{"name": "A"#, 11, "$['name']"),
    ("{\"name\": \"A\",\n \"age\": 1} x", 25, "$"),
    ("", 0, "$"),
    ("{\"name\": \"\u{1}\"}", 10, "$['name']"),
  ])
  func `malformed bytes are reported with their position`(text: String, offset: Int, path: String) throws {
    // Foundation lets some of these pass, so the bytes are asked through a path.
    let failure = try #require(throws: LocatedDecodingError.self) {
      try JSONDecoder().decode(Person.self, from: Data(text.utf8), at: "$")
    }
    #expect(failure.kind == .malformed)
    #expect(failure.position?.offset == offset)
    #expect(failure.path.description == path)
    #expect(failure.description.contains("not JSON"))
  }

  @Test func `error positions count lines and columns in characters`() throws {
    let failure = try failure([String].self, "[\n  \"é𝄞\", 7\n]")
    #expect(failure.position?.line == 2)
    #expect(failure.position?.column == 9)
    #expect(failure.position?.offset == 14)
    #expect(failure.position?.description == "line 2, column 9 (byte 14)")
  }

  @Test func `an error's snippet has one line and at most 80 whole characters`() throws {
    let filler = String(repeating: "é\\n𝄞", count: 50)
    for prefix in 0..<9 {
      let text = "[\"\(String(repeating: "a", count: prefix))\(filler)\",\n\t7, \"\(filler)\"]"
      let snippet = try #require(try failure([String].self, text).snippet)
      #expect(snippet.unicodeScalars.count == 80)
      #expect(snippet.hasPrefix("…") && snippet.hasSuffix("…"))
      #expect(!snippet.contains("\u{FFFD}") && !snippet.contains("\n") && !snippet.contains("\t"))
      #expect(snippet.contains("  7, "))
    }
    #expect(try failure([String].self, "[7]").snippet == "[7]")
  }

  @Test func `no value of the document appears in an error description`() throws {
    let texts = [
      #"{"name": "A", "age": 1, "role": "hunter2"}"#, #"{"name": ["hunter2"], "age": 1}"#, #"{"name": "hunter2"}"#,
      #"{"name": "hunter2""#, #"{"name": "A", "age": 1, "tags": "hunter2"}"#,
    ]
    for text in texts {
      let failure = try failure(Person.self, text)
      #expect(!"\(failure)".contains("hunter2"))
      #expect(String(reflecting: failure).contains("hunter2"))
      #expect(!String(reflecting: failure.redacted).contains("hunter2"))
      #expect(!"\(failure.localizedDescription)".contains("hunter2"))
    }
  }

  @Test func `an error thrown by the decoded type is kept as the underlying error`() throws {
    struct Custom: Error {}
    struct Throwing: Decodable { init(from decoder: any Decoder) throws { throw Custom() } }
    let data = Data(#"{"a": {"b": 1}}"#.utf8)
    let failure = try #require(throws: LocatedDecodingError.self) {
      try JSONDecoder().decode(Throwing.self, from: data, at: "a.b")
    }
    #expect(failure.kind == .custom)
    #expect(failure.path == "a.b")
    #expect(failure.underlyingError is Custom)
    #expect(LocatedDecodingError(failure, in: data).path == "a.b")
  }

  @Test func `an error finds keys through the decoder's key strategy`() throws {
    struct Item: Decodable { var itemsCount: Int }
    for strategy in [
      JSONDecoder.KeyDecodingStrategy.convertFromSnakeCase,
      .custom { $0.last?.stringValue == "items_count" ? Key("itemsCount") : $0[$0.count - 1] },
    ] {
      let decoder = JSONDecoder()
      decoder.keyDecodingStrategy = strategy
      let data = Data(#"[{"x": 1, "items_count": "7"}]"#.utf8)
      let error = try #require(throws: (any Error).self) { try decoder.decode([Item].self, from: data) }
      #expect(LocatedDecodingError(error, in: data, keys: strategy).path == "[0].items_count")
    }
  }

  struct Key: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  @Test func `long paths and names are shortened in the error text`() throws {
    let name = String(repeating: "k", count: 100_000)
    let failure = try failure([String: Int].self, "{\"\(name)\": \"x\"}")
    #expect(failure.description.count < 400)
    #expect(failure.path.description.count > 100_000)
    let missing = try self.failure(Person.self, "{\"\(name)\": \"x\"}")
    #expect(missing.siblings[0].count == 80)
  }

  @Test func `nesting that is too deep is a limit with a position`() throws {
    let text = String(repeating: "[", count: 100_000)
    let failure = try #require(throws: LocatedDecodingError.self) {
      try JSONDecoder().decode(Int.self, from: Data(text.utf8), at: "$")
    }
    #expect(failure.kind == .limit)
    #expect(failure.position?.offset == 512)
  }

  @Test(arguments: [
    (#"{"people": [{"name": "A", "age": 1}, {"name": "B", "age": 300}]}"#, "people[1].age"),
    (#"{"people": [{"name": "A", "age": 1.5}]}"#, "people[0].age"),
    (#"{"people": [{"name": "\uD800", "age": 1}]}"#, "people[0].name"),
  ])
  func `an error that Foundation reports without a path gets its path`(text: String, path: String) throws {
    let failure = try #require(throws: LocatedDecodingError.self) {
      try JSONDecoder().decode([Person].self, from: Data(text.utf8), at: "people")
    }
    #expect(try failure.path == JSONPath(parsing: path))
    #expect(failure.position != nil)
    #expect(failure.kind == .invalid)
  }

  @Test func `nested decoding keeps the path of a number that does not fit`() throws {
    struct Nested: Decodable {
      init(from decoder: any Decoder) throws { _ = try decoder.nested().decode(UInt8.self, at: "a.b[1]") }
    }
    let error = try #require(throws: DecodingError.self) {
      try JSONDecoder().decode(Nested.self, from: Data(#"{"a": {"b": [1, 300]}}"#.utf8))
    }
    guard case .dataCorrupted(let context) = error else { throw error }
    #expect(JSONPath(codingPath: context.codingPath) == "a.b[1]")
  }

  @Test(arguments: 0..<20) func `malformed bytes are located at any depth after valid ones`(depth: Int)
    throws
  {
    let before = #"{"a":[1,{"b":"x"}],"in":["#
    let text = String(repeating: #"{"a":[1,{"b":"x"}],"in":[[],"#, count: depth) + before
    for (wrong, steps, distance) in [("tru]}", [0], 3), ("{}, 1 2", [], 6), (#"[1,"\q"]"#, [0, 1], 5)] {
      let path =
        (0..<depth).flatMap { _ in [PathPart.name("in"), .index(1)] } + [.name("in")] + steps.map(PathPart.index)
      let failure = try #require(throws: LocatedDecodingError.self) {
        try JSONBytesDecoder().decode(Person.self, from: Data((text + wrong).utf8), at: "$['none']")
      }
      #expect(failure.kind == .malformed)
      #expect(failure.path.description == "$" + path.map(\.text).joined())
      #expect(failure.position?.offset == text.utf8.count + distance)
    }
  }

  enum PathPart {
    case name(String)
    case index(Int)

    var text: String {
      switch self {
      case .name(let name): "['\(name)']"
      case .index(let index): "[\(index)]"
      }
    }
  }

  @Test func `a container nested too deeply is located after one that is not`() throws {
    let text = #"[[1],"# + String(repeating: "[", count: 600)
    let failure = try #require(throws: LocatedDecodingError.self) {
      try JSONBytesDecoder().decode([Int].self, from: Data(text.utf8), at: "$[9]")
    }
    #expect(failure.kind == .limit)
    #expect(failure.position?.offset == 5 + 511)
  }
}
