import Decoding
import Foundation
import LarderTestSupport
import Testing

/// Encodes what a closure says.
private struct Written: Encodable {
  let body: (NestedEncoder) throws -> Void

  func encode(to encoder: any Encoder) throws { try body(encoder.nested()) }
}

@Suite struct NestedEncoderTests {
  private func json(
    _ encoder: JSONEncoder = JSONEncoder(), _ body: @escaping (NestedEncoder) throws -> Void
  ) throws -> String {
    encoder.outputFormatting.insert(.sortedKeys)
    return String(decoding: try encoder.encode(Written(body: body)), as: UTF8.self)
  }

  private struct Book: Codable, Equatable {
    var title: String
    var publisher: String?
    var authors: [String]
    var isbn: String
    var published: Date
    var thumbnail: URL

    init(_ title: String, publisher: String?, thumbnail: URL) {
      (self.title, self.publisher, self.thumbnail) = (title, publisher, thumbnail)
      (authors, isbn, published) = (["Ann", "Bob"], "9780000000000", Date(timeIntervalSince1970: 86400))
    }

    init(from decoder: any Decoder) throws {
      let json = try decoder.nested()
      title = try json.decode(at: "volumeInfo.title")
      publisher = try json.decodeIfPresent(at: "volumeInfo.publisher")
      authors = try json.decode(at: "volumeInfo.authors")
      isbn = try json.decode(at: "volumeInfo.industryIdentifiers[0].identifier")
      published = try json.decode(at: "volumeInfo.publishedDate", as: .date(format: "yyyy-MM-dd"))
      thumbnail = try json.decode(at: "volumeInfo.imageLinks.thumbnail")
    }

    func encode(to encoder: any Encoder) throws {
      let json = encoder.nested()
      try json.encode(title, at: "volumeInfo.title")
      try json.encodeIfPresent(publisher, at: "volumeInfo.publisher")
      try json.encode(authors, at: "volumeInfo.authors")
      try json.encode(isbn, at: "volumeInfo.industryIdentifiers[0].identifier")
      try json.encode(published, at: "volumeInfo.publishedDate", as: .date(format: "yyyy-MM-dd"))
      try json.encode(thumbnail, at: "volumeInfo.imageLinks.thumbnail")
    }
  }

  @Test(arguments: ["Orbit", nil])
  func `a type that decodes by paths encodes by the same paths`(publisher: String?) throws {
    let book = Book("Emma", publisher: publisher, thumbnail: try #require(URL(string: "https://example.com/1.png")))
    let data = try JSONEncoder().encode([book])
    #expect(try JSONDecoder().decode([Book].self, from: data) == [book])
    #expect(try JSONBytesDecoder().decode([Book].self, from: data) == [book])
    #expect(String(decoding: data, as: UTF8.self).contains("publisher") == (publisher != nil))
    for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
      let encoder = PropertyListEncoder()
      encoder.outputFormat = format
      #expect(try PropertyListDecoder().decode([Book].self, from: encoder.encode([book])) == [book])
    }
  }

  @Test func `encoded values share the objects and arrays on their paths, in any order`() throws {
    let text = try json {
      try $0.encode(1, at: "a.b")
      try $0.encode([2], at: "c")
      try $0.encode(3, at: "a.d.e")
      try $0.encode("x", at: "l[0].n")
      try $0.encode(4, at: "l[1]")
      try $0.encode("y", at: "l[0].m")
      try $0.encode(5, at: "l[2][0][0]")
      try $0.encode(6, at: "l[2][0][1]")
      try $0.encode(nil as Int?, at: "a.f")
      try $0.encode(7, at: "['a.b']['$']")
    }
    #expect(
      text == #"{"a":{"b":1,"d":{"e":3},"f":null},"a.b":{"$":7},"c":[2],"l":[{"m":"y","n":"x"},4,[[5,6]]]}"#)
  }

  @Test func `encoding only nil gives an empty object or array`() throws {
    #expect(try json { try $0.encodeIfPresent(nil as Int?, at: "a.b") } == "{}")
    #expect(try json { try $0.encodeIfPresent(nil as Int?, at: "[0].b") } == "[]")
    #expect(try json { try $0.encodeIfPresent(nil as Date?, at: "a.b", as: .iso8601) } == "{}")
  }

  @Test func `the encoded root can be one value or an array`() throws {
    #expect(try json { try $0.encode(["a": 1], at: "$") } == #"{"a":1}"#)
    #expect(
      try json {
        try $0.encode(1, at: "[0]")
        try $0.encode(2, at: "[1].a")
      } == #"[1,{"a":2}]"#)
  }

  @Test func `encoded names go through the encoder's key strategy, as in decoding`() throws {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    #expect(try json(encoder) { try $0.encode(1, at: "volumeInfo.pageCount") } == #"{"volume_info":{"page_count":1}}"#)
  }

  /// What is there, and what is refused then.
  @Test(
    arguments: [
      (["a"], "a"), (["a"], "a.b"), (["a"], "a[0]"), (["a.b"], "a"), (["a.b"], "a[0]"), (["a[0]"], "a.b"),
      (["a[0]"], "a[0]"), (["a[0]"], "a[2]"), (["a[0]"], "a[-1]"), ([], "a[1]"), ([], "a[0][1]"),
      (["a[0].b"], "a[0].b"),
      (["a"], "$"), (["a"], "[0]"), (["[0]"], "a"), (["$"], "a"), (["$"], "$"), ([], "a[*]"), ([], "a..b"),
      (["\u{E9}"], "e\u{301}"), (["e\u{301}.b"], "\u{E9}.c"), ([], "a[?@.b].c"), ([], "a[0:1]"), ([], "a["),
    ] as [([JSONPath], JSONPath)])
  func `a value whose path conflicts or is unsupported is refused, and nothing is written`(
    there: [JSONPath], path: JSONPath
  ) throws {
    func write(_ json: NestedEncoder) throws {
      for place in there { try json.encode(1, at: place) }
      if there.isEmpty { try json.encodeIfPresent(nil as Int?, at: "z") }
    }
    let text = try json { json in
      try write(json)
      let error = #expect(throws: EncodingError.self) { try json.encode(2, at: path) }
      guard case .invalidValue(let value, let context)? = error else { return }
      #expect(value as? Int == 2 && !context.debugDescription.isEmpty)
    }
    #expect(try json { try write($0) } == text)
  }

  @Test func `an encoding error has its path from the root`() throws {
    struct Outer: Encodable {
      let inner: Written
    }
    let error = #expect(throws: EncodingError.self) {
      try JSONEncoder().encode(
        Outer(
          inner: Written {
            try $0.encode(1, at: "a.b[0].c")
            try $0.encode(2, at: "a.b[0].c.d")
          }))
    }
    guard case .invalidValue(_, let context)? = error else { return }
    #expect(context.codingPath.map(\.stringValue) == ["inner", "a", "b", "0", "c"])
  }

  @Test func `a value that fails to encode leaves its path free`() throws {
    struct Refusal: Error {}
    let text = try json { json in
      for path in ["a.b", "a.l[0]", "a.l[0]"] as [JSONPath] {
        #expect(throws: Refusal.self) { try json.encode(Written { _ in throw Refusal() }, at: path) }
      }
      try json.encode(1, at: "a.b")
      try json.encode(2, at: "a.l[0]")
    }
    #expect(text == #"{"a":{"b":1,"l":[2]}}"#)
  }

  @Test func `strategies write what they read`() throws {
    func check<T: Equatable>(_ value: T, _ strategy: FieldStrategy<T>, _ expected: String) throws {
      #expect(try json { try $0.encode(value, at: "v", as: strategy) } == #"{"v":\#(expected)}"#)
      #expect(try Probe.json(#"{"v":\#(expected)}"#) { try $0.decode(at: "v", as: strategy) } == value)
    }
    let date = Date(timeIntervalSince1970: 12.5)
    try check(date, .secondsSince1970, "12.5")
    try check(date, .millisecondsSince1970, "12500")
    try check(date, .iso8601, #""1970-01-01T00:00:12.500Z""#)
    try check(Date(timeIntervalSince1970: 12), .iso8601, #""1970-01-01T00:00:12Z""#)
    try check(Date(timeIntervalSince1970: 86400), .date(format: "dd.MM.yyyy"), #""02.01.1970""#)
    try check(7, .numberOrString, "7")
    try check(true, .boolOrNumber, "true")
    try check("7", .stringOrNumber, #""7""#)
    try check("a, b", .joined(), #""a, b""#)
    try check(
      [1, 2],
      FieldStrategy { _ in
        [1, 2]
      } encode: {
        $0.map(String.init).joined()
      }, #""12""#)
  }

  @Test func `values encoded at random paths are read back from the same paths`() throws {
    var random = SplitMix.printed()
    for _ in 0..<200 {
      // Leaves by their paths; a new element of an array is always the next one.
      var leaves: [(path: JSONPath, value: Int)] = []
      func grow(_ path: String, _ depth: Int) throws {
        if depth == 0 || Int.random(in: 0..<3, using: &random) == 0 {
          leaves.append((try JSONPath(parsing: path), .random(in: 0..<100, using: &random)))
        } else if Bool.random(using: &random) {
          for index in 0..<Int.random(in: 1...3, using: &random) { try grow("\(path)[\(index)]", depth - 1) }
        } else {
          for name in ["a", "é", "a.b"].prefix(.random(in: 1...3, using: &random)) {
            try grow("\(path)['\(name)']", depth - 1)
          }
        }
      }
      try grow("$", 4)
      let all = leaves
      let data = try JSONEncoder().encode(Written { for leaf in all { try $0.encode(leaf.value, at: leaf.path) } })
      let document = JSONDocument(data)
      for leaf in leaves { #expect(try document.decode(Int.self, at: leaf.path) == leaf.value) }
    }
  }

  @Test func `a single value is encoded within the member that a path names`() throws {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    struct Value: Encodable {
      var aB = 1
    }
    let ours = JSONBytesEncoder(like: encoder)
    func text(_ path: JSONPath) throws -> String {
      let text = String(decoding: try encoder.encode(Value(), at: path), as: UTF8.self)
      #expect(String(decoding: try ours.encode(Value(), at: path), as: UTF8.self) == text)
      return text
    }
    #expect(try text("data.theAttributes") == #"{"data":{"theAttributes":{"a_b":1}}}"#)
    #expect(try text("['\"'][0]") == #"{"\"":[{"a_b":1}]}"#)
    #expect(try text("$") == #"{"a_b":1}"#)
    for path in ["a[1]", "a[-1]", "a[*]", "a["] as [JSONPath] {
      #expect(throws: EncodingError.self) { try text(path) }
      #expect(throws: EncodingError.self) { try ours.encode(Value(), at: path) }
    }
  }
}
