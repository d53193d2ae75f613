import Foundation
import LarderTestSupport
import Testing

@testable import Decoding

@Suite struct JSONValueTests {
  static let text =
    #"{"b":[0.1,1e400,18446744073709551616,-0,1.0,1E5,-1.50e-7],"a":{"é":true,"":false},"n":null,"s":"\"\\/é😀\n\u0001"}"#

  func value(_ text: String) throws -> JSONValue { try JSONValue(parsing: text) }

  @Test func `a decoded value is written as the same text`() throws {
    let decoded = try JSONBytesDecoder().decode(JSONValue.self, from: Data(Self.text.utf8))
    #expect(decoded.description == Self.text)
    #expect(String(decoding: decoded.data, as: UTF8.self) == Self.text)
    let spaced = Self.text.replacing(",", with: " ,\n\t ").replacing(":", with: " : ")
    #expect(try value(" \(spaced)\r\n") == decoded)
    #expect(try value(#""\u00e9\/\ud83d\ude00\b\f\r\t\u001f""#).description == #""é/😀\b\f\r\t\u001f""#)
  }

  @Test func `a JSON value is decoded wherever another type could be`() throws {
    struct Movie: Codable, Equatable {
      var title: String
      var other: JSONValue
      var missing: JSONValue?
      var list: [JSONValue]
      var table: [String: JSONValue]
      var last: Int
    }
    let text = #"{"title":"t","other":{"z":[1,{"a":2.50}]},"list":[1,[],{}],"table":{"x":{"y":"z"}},"last":3}"#
    let movie = try JSONBytesDecoder().decode(Movie.self, from: Data(text.utf8))
    #expect(movie.other.description == #"{"z":[1,{"a":2.50}]}"# && movie.missing == nil && movie.last == 3)
    #expect(movie.list == [1, [], [:]] && movie.table == ["x": ["y": "z"]])
    #expect(try JSONDecoder().decode(Movie.self, from: Data(text.utf8)) == movie)
    #expect(try JSONDecoder().decode(Movie.self, from: JSONEncoder().encode(movie)) == movie)
    #expect(try JSONDocument(Data(text.utf8)).decode(JSONValue.self, at: "other.z[1]") == ["a": 2.5])
    #expect(try JSONDocument(Data(text.utf8)).values(JSONValue.self, at: "$.list[*]") == [1, [], [:]])
  }

  @Test func `a value that was opened before is decoded from its beginning`() throws {
    struct Opened: Decodable {
      var value: JSONValue
      var nested: JSONValue
      var rest: String

      init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: AnyKey.self)
        _ = try members.decode(Int.self, forKey: AnyKey(stringValue: "b"))
        value = try decoder.singleValueContainer().decode(JSONValue.self)
        nested = try decoder.nested().decode(at: "c")
        rest = try members.decode(String.self, forKey: AnyKey(stringValue: "d"))
      }
    }
    let text = #"[{"a":1,"b":2,"c":[3],"d":"e"}]"#
    let opened = try JSONBytesDecoder().decode([Opened].self, from: Data(text.utf8))
    #expect("\(opened.map(\.value))" == text && opened[0].nested == [3] && opened[0].rest == "e")
  }

  @Test func `a JSON value supports literals, subscripts and assignments`() throws {
    var movie: JSONValue = ["title": "Emma \(1 + 1)", "year": 1996, "ratio": 1.85, "seen": true, "cast": ["P", .null]]
    #expect(movie["title"]?.string == "Emma 2" && movie["year"]?.int == 1996 && movie["ratio"]?.double == 1.85)
    #expect(movie["seen"]?.bool == true && movie["cast"]?[1]?.isNull == true && movie["cast"]?.array?.count == 2)
    #expect(movie["nothing"] == nil && movie["cast"]?[2] == nil && movie["cast"]?[-1] == nil && movie[0] == nil)
    #expect(movie["cast"]?["title"] == nil && movie.object?.names == ["title", "year", "ratio", "seen", "cast"])

    movie["year"] = nil
    movie["title"] = "E"
    movie["cast"]?[0] = ["name": "P"]
    movie["cast"]?[0]?["age"] = 20
    movie["cast"]?[1] = nil
    movie["new"] = .array([1].map { JSONValue($0) })
    #expect(movie.description == #"{"title":"E","ratio":1.85,"seen":true,"cast":[{"name":"P","age":20}],"new":[1]}"#)

    let before = movie
    movie["cast"]?[7] = 1
    movie["title"]?["a"] = 1
    movie[0] = 1
    movie["nothing"]?["a"] = 1
    movie["nothing"] = nil
    #expect(movie == before)
    movie["new"] = JSONValue.null
    #expect(movie["new"]?.isNull == true && before["new"] == [1])
    #expect(JSONValue(Double.infinity).isNull && JSONValue(0.1) == 0.1 && JSONValue(100.0).description == "100")
  }

  @Test func `a change in place does not copy the value`() throws {
    var value: JSONValue = ["a": [["b": 1]]]
    func storages() -> [ObjectIdentifier?] {
      [value, value["a"], value["a"]?[0]].map { $0?.storage.map { ObjectIdentifier($0) } }
    }
    let before = storages()
    value["a"]?[0]?["b"] = 2
    #expect(storages() == before && value == ["a": [["b": 2]]])
    let copy = value
    value["a"]?[0]?["b"] = 3
    #expect(copy == ["a": [["b": 2]]] && value == ["a": [["b": 3]]])
  }

  static let equal: [(String, String)] = [
    ("1", "1.0"), ("1", "1e0"), ("100", "1E2"), ("0", "-0"), ("0", "0e9"), ("0.1", "1e-1"), ("[1,{}]", "[1.0,{ }]"),
    (#"{"a":1,"b":[2]}"#, #"{"b":[2.0],"a":1}"#), (#""\u00e9""#, #""é""#), ("1e400", "10e399"),
    (#"{"a":1,"a":2}"#, #"{"a":1}"#), (#"[{"a":{"b":[{}]}}]"#, #"[{"a":{"b":[{}]}}]"#),
  ]
  static let different: [(String, String)] = [
    ("1", "true"), ("1", #""1""#), ("null", "false"), ("[]", "{}"), ("9007199254740992", "9007199254740993"),
    ("0.1", "0.10000000000000001"), ("1e400", "1e401"), (#""é""#, #""e\u0301""#), ("[1,2]", "[2,1]"), ("[1]", "[1,1]"),
    (#"{"a":1}"#, #"{"a":2}"#), (#"{"a":1}"#, #"{"b":1}"#), (#"{"a":1}"#, #"{"a":1,"b":1}"#), ("[[]]", "[{}]"),
    (#"{"é":1}"#, #"{"e\u0301":1}"#), (#"[{"a":[1]}]"#, #"[{"a":[2]}]"#), (#"{"a":{"b":1}}"#, #"{"a":{"c":1}}"#),
    ("[[1],[2]]", "[[2],[1]]"), ("[[1,2]]", "[[1],[2]]"), (#"{"a":1,"b":2}"#, #"{"a":2,"b":1}"#),
  ]

  @Test(arguments: equal) func `values with the same meaning are equal and have equal hashes`(texts: (String, String))
    throws
  {
    let (left, right) = (try value(texts.0), try value(texts.1))
    #expect(left == right && right == left && left.hashValue == right.hashValue)
  }

  @Test(arguments: different) func `values that differ are unequal and have different hashes`(texts: (String, String))
    throws
  {
    let (left, right) = (try value(texts.0), try value(texts.1))
    #expect(left != right && right != left && left.hashValue != right.hashValue)
  }

  @Test(arguments: [
    ("[1,", "$"), ("[1 2]", "$"), (#"{"a":1,}"#, "$"), (#"{"a" 1}"#, "$"), ("[tru]", "$[0]"), ("", "$"), ("[01]", "$"),
    (#"[{"a":["\x"]}]"#, "$[0]['a'][0]"), ("{", "$"), ("[1]]", "$"), (#"{"a""#, "$"), (#"{"a":"#, "$"),
    ("[\"a\u{1}\"]", "$[0]"),
  ]) func `decoding a JSON value from invalid JSON is refused with its path`(text: String, path: String) throws {
    let failure = try #require(throws: LocatedDecodingError.self) { try value(text) }
    #expect(failure.kind == .malformed && failure.position != nil)
    #expect(throws: LocatedDecodingError.self) { try RawJSON(Data(text.utf8)) }
  }

  @Test func `a lone surrogate makes only its own value invalid`() throws {
    let lossy = try JSONBytesDecoder().decode([Lossless].self, from: Data(#"[1,"\ud800",{"\udc00":1},2]"#.utf8))
    #expect(lossy.map(\.value) == [1, nil, nil, 2] as [JSONValue?])
  }

  /// A value, or nil where it cannot be decoded.
  struct Lossless: Decodable {
    var value: JSONValue?
    init(from decoder: any Decoder) throws { value = try? JSONValue(from: decoder) }
  }

  @Test func `random documents are decoded as Foundation decodes them`() throws {
    var random = SplitMix.printed()
    for _ in 0..<2000 {
      let text = RandomDocument(seed: random.next()).text
      guard let expected = try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed) else {
        continue
      }
      let value = try value(text)
      let found = try JSONSerialization.jsonObject(with: value.data, options: .fragmentsAllowed)
      #expect((expected as? NSObject) == (found as? NSObject), "\(text)")
      #expect(try self.value(value.description) == value)
    }
  }

  @Test(.enabled(if: Fixtures.directory("jsontestsuite/test_parsing") != nil, "JSONTestSuite is not there"))
  func `JSONTestSuite's parsing tests are accepted and refused as a JSON value`() throws {
    for file in try TestSuiteTests.files("y_") {
      let value = try JSONBytesDecoder().decode(JSONValue.self, from: Data(contentsOf: file))
      #expect(try self.value(value.description) == value, "\(file.lastPathComponent)")
      #expect(try RawJSON(Data(contentsOf: file)).decode(JSONValue.self) == value, "\(file.lastPathComponent)")
    }
    for file in try TestSuiteTests.files("n_") {
      let data = try Data(contentsOf: file)
      #expect(throws: LocatedDecodingError.self, "\(file.lastPathComponent)") {
        try JSONBytesDecoder().decode(JSONValue.self, from: data)
      }
      #expect(throws: LocatedDecodingError.self, "\(file.lastPathComponent)") { try RawJSON(data) }
    }
  }
}
