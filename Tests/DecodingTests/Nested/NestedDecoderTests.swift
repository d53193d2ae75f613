import Decoding
import Foundation
import Testing

/// Runs a closure inside `init(from:)`, the only place where a decoder is valid.
struct Probe<Value>: Decodable, DecodableWithConfiguration {
  var value: Value

  /// A closure on its way through `userInfo`; it is called on the same thread, during the call that it was handed to.
  private struct Body: @unchecked Sendable {
    var run: (NestedDecoder) throws -> Value
  }

  private static var key: CodingUserInfoKey { CodingUserInfoKey(rawValue: "body").unsafelyUnwrapped }

  init(from decoder: any Decoder, configuration body: (NestedDecoder) throws -> Value) throws {
    value = try body(try decoder.nested())
  }

  init(from decoder: any Decoder) throws {
    guard let body = decoder.userInfo[Self.key] as? Body else { throw CocoaError(.coderValueNotFound) }
    value = try body.run(try decoder.nested())
  }

  /// Runs the closure on Foundation's decoder and on the one over bytes, which must agree.
  static func json(_ text: String, _ body: (NestedDecoder) throws -> Value) throws -> Value {
    try withoutActuallyEscaping(body) { body in
      let data = Data(text.utf8)
      let foundation = Result { try JSONDecoder().decode(Self.self, from: data, configuration: body).value }
      let decoder = JSONBytesDecoder()
      decoder.userInfo[key] = Body(run: body)
      let bytes = Result { try decoder.decode(Self.self, from: data).value }
      switch (foundation, bytes) {
      case (.success(let one), .success(let other)):
        if let one = one as? any Equatable, !isEqual(one, other) {
          Issue.record("the decoders differ: \(one), \(other)")
        }
      case (.failure, .failure): break
      default: Issue.record("the decoders differ: \(foundation), \(bytes)")
      }
      return try foundation.get()
    }
  }

  private static func isEqual<One: Equatable>(_ one: One, _ other: Any) -> Bool { other as? One == one }
}

@Suite struct NestedDecoderTests {
  let text = """
    {"volumeInfo": {"title": "Ruby", "publisher": null, "authors": ["A", "B"], "pages": 3,
     "imageLinks": {"thumbnail": "http://x.org/t"}, "cover": null,
     "grid": [[1, 2], [3]], "ids": [{"id": 1}, null, {"id": 3}]}, "a.b": {"c": true}}
    """

  func json<T>(_ body: (NestedDecoder) throws -> T) throws -> T { try Probe.json(text, body) }

  @Test func `nested values are decoded from any depth`() throws {
    #expect(try json { try $0.decode(String.self, at: "volumeInfo.title") } == "Ruby")
    #expect(try json { try $0.decode([String].self, at: "volumeInfo.authors") } == ["A", "B"])
    #expect(
      try json { try $0.decode(URL.self, at: "volumeInfo.imageLinks.thumbnail") } == URL(string: "http://x.org/t"))
    #expect(try json { try $0.decode(Bool.self, at: "['a.b'].c") })
    #expect(try json { try $0.decode(Int.self, at: "volumeInfo.grid[0][1]") } == 2)
    #expect(try json { try $0.decode(Int.self, at: "volumeInfo.grid[-1][-1]") } == 3)
    #expect(try json { try $0.decode(Int.self, at: "volumeInfo.ids[2].id") } == 3)
  }

  @Test func `the type of a nested value may be inferred`() throws {
    struct Book: Decodable, Equatable {
      var title: String
      var publisher: String?
      var pages: Int
      init(from decoder: any Decoder) throws {
        let json = try decoder.nested()
        title = try json.decode(at: "volumeInfo.title")
        publisher = try json.decodeIfPresent(at: "volumeInfo.publisher")
        pages = try json.decode(at: "volumeInfo.pages")
      }
    }
    let book = try JSONDecoder().decode(Book.self, from: Data(text.utf8))
    #expect(book.title == "Ruby")
    #expect(book.publisher == nil)
    #expect(book.pages == 3)
  }

  @Test(arguments: [
    "volumeInfo.missing", "missing.title", "volumeInfo.publisher", "volumeInfo.cover.small", "volumeInfo.grid[7]",
    "volumeInfo.grid[-9]", "volumeInfo.ids[1]", "volumeInfo.ids[1].id", "volumeInfo.ids[0].name",
  ])
  func `decodeIfPresent is nil where part of the path is missing or null`(path: String) throws {
    let path = try JSONPath(parsing: path)
    #expect(try json { try $0.decodeIfPresent(String.self, at: path) } == nil)
  }

  @Test(arguments: [
    ("volumeInfo.title.x", "volumeInfo.title"), ("volumeInfo.title[0]", "volumeInfo.title"),
    ("volumeInfo[0]", "volumeInfo"), ("volumeInfo.authors.x", "volumeInfo.authors"),
    ("volumeInfo.ids[0][0]", "volumeInfo.ids[0]"),
  ])
  func `a step into the wrong kind of value throws an error that names it`(path: String, wrong: String) throws {
    let path = try JSONPath(parsing: path)
    for isStrict in [true, false] {
      let error = #expect(throws: DecodingError.self) {
        try json { isStrict ? try $0.decode(String.self, at: path) : try $0.decodeIfPresent(at: path) }
      }
      guard case .typeMismatch(_, let context)? = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(try JSONPath(codingPath: context.codingPath) == JSONPath(parsing: wrong))
    }
  }

  @Test func `decode throws different errors for missing and null`() throws {
    let missing = #expect(throws: DecodingError.self) { try json { try $0.decode(Int.self, at: "volumeInfo.no.x") } }
    guard case .keyNotFound(let key, let context)? = missing else { throw try #require(missing) }
    #expect(key.stringValue == "no")
    #expect(context.codingPath.map(\.stringValue) == ["volumeInfo"])

    let null = #expect(throws: DecodingError.self) { try json { try $0.decode(Int.self, at: "volumeInfo.cover.x") } }
    guard case .valueNotFound(_, let context)? = null else { throw try #require(null) }
    #expect(context.codingPath.map(\.stringValue) == ["volumeInfo", "cover"])

    let element = #expect(throws: DecodingError.self) { try json { try $0.decode(Int.self, at: "volumeInfo.grid[5]") } }
    guard case .keyNotFound(let index, _)? = element else { throw try #require(element) }
    #expect(index.intValue == 5)
  }

  @Test func `a type may decode null itself`() throws {
    #expect(try json { try $0.decode(String?.self, at: "volumeInfo.publisher") } == nil)
    #expect(try json { try $0.decode(Int?.self, at: "volumeInfo.ids[1]") } == nil)
  }

  @Test func `an invalid path literal throws when it is used`() throws {
    let error = #expect(throws: DecodingError.self) { try json { try $0.decode(Int.self, at: "volumeInfo[") } }
    guard case .dataCorrupted(let context)? = error else { throw try #require(error) }
    #expect(context.underlyingError is JSONPathError)
    #expect(throws: DecodingError.self) { try json { try $0.decodeIfPresent(Int.self, at: "volumeInfo[") } }
  }

  @Test func `the root may be an array, and a scalar root is refused`() throws {
    #expect(try Probe.json("[[1], [2, 3]]") { try $0.decode(Int.self, at: "[1][0]") } == 2)
    #expect(try Probe.json("[1]") { try $0.decode([Int].self, at: "$") } == [1])
    #expect(throws: DecodingError.self) { try Probe.json("7") { _ in } }
    #expect(throws: DecodingError.self) { try Probe.json("null") { _ in } }
  }

  @Test func `a nested type's own paths start at its value`() throws {
    struct Inner: Decodable {
      var id: Int
      init(from decoder: any Decoder) throws { id = try decoder.nested().decode(at: "info.id") }
    }
    let ids = try Probe.json(#"{"x": {"items": [{"info": {"id": 1}}, {"info": {"id": 2}}]}, "y": 5}"#) {
      (json: NestedDecoder) throws in
      let items = try json.decode([Inner].self, at: "x.items").map(\.id)
      return items + [try json.decode(Inner.self, at: "x.items[1]").id, try json.decode(at: "y")]
    }
    #expect(ids == [1, 2, 2, 5])
  }

  @Test func `the path of a decoding error leads back to its location`() throws {
    let text = #"{"a": {"b": [{"c": 1}, {"c": "x"}]}}"#
    struct Item: Decodable { let c: Int }
    let failure = try #require(
      #expect(throws: LocatedDecodingError.self) {
        try JSONDecoder().decode([Item].self, from: Data(text.utf8), at: "a.b")
      })
    #expect(failure.path == "a.b[1].c")
    #expect(Set([failure.path, "$.a.b[1].c"]).count == 1)
    #expect(failure.path.pointer == "/a/b/1/c")
    #expect(try Probe.json(text) { try $0.decode(String.self, at: failure.path) } == "x")
    #expect(try JSONDocument(Data(text.utf8)).decode(String.self, at: failure.path) == "x")
    let parent = JSONPath(codingPath: [AnyValue.Key(stringValue: "a"), AnyValue.Key(stringValue: "b")])
    #expect(try Probe.json(text) { try $0.decode([AnyValue].self, at: parent).count } == 2)
  }

  @Test func `names are compared by their bytes if the decoder does so`() throws {
    let text = #"{"\u00e9": {"v": [1]}, "e\u0301": {"v": [2]}}"#
    struct Both: Decodable {
      var values: [Int]
      init(from decoder: any Decoder) throws {
        let json = try decoder.nested()
        // A slice goes the way that works with any decoder.
        values = [
          try json.decode(at: "['\u{e9}'].v[0]"), try json.decode(at: "['e\u{301}'].v[0]"),
          try json.decode(at: "['\u{e9}'].v[0:1]"), try json.decode(at: "['e\u{301}'].v[0:1]"),
        ]
      }
    }
    #expect(try JSONBytesDecoder().decode(Both.self, from: Data(text.utf8)).values == [1, 2, 1, 2])
  }

  @Test func `a property list is decoded by the same paths`() throws {
    let list: [String: Any] = ["volumeInfo": ["title": "Ruby", "ids": [["id": 1], ["id": 3]]] as [String: Any]]
    let data = try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
    struct Book: Decodable {
      var title: String
      var id: Int
      var missing: String?
      init(from decoder: any Decoder) throws {
        let list = try decoder.nested()
        title = try list.decode(at: "volumeInfo.title")
        id = try list.decode(at: "volumeInfo.ids[-1].id")
        missing = try list.decodeIfPresent(at: "volumeInfo.no.way")
      }
    }
    let book = try PropertyListDecoder().decode(Book.self, from: data)
    #expect(book.title == "Ruby")
    #expect(book.id == 3)
    #expect(book.missing == nil)
  }
}
