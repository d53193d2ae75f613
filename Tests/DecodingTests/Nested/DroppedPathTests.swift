import Decoding
import Foundation
import Testing

/// Every way to decode a part of a document, compared with the same part's path in the whole document.
@Suite struct DroppedPathTests {
  struct Refusing: Decodable {
    struct Refused: Error {}
    init(from decoder: any Decoder) throws { throw Refused() }
  }

  /// Collects the drops of every kind of lossy decoding.
  struct Entry: Decodable, Sendable {
    struct Wrapped: Decodable {
      @LossyArray var someTags: [String]
      @LossySet var labels: Set<String>
      @LossyDictionary var ranks: [String: Int]
      @LossyOptional var rating: Double?
    }

    var drops: [DroppedElement]

    init(from decoder: any Decoder) throws {
      let wrapped = try Wrapped(from: decoder)
      drops = wrapped.$someTags + wrapped.$labels + wrapped.$ranks + [wrapped.$rating].compactMap(\.self)
      let json = try decoder.nested()
      drops += try json.decodeLossy(Int.self, at: "labels").drops
      drops += try json.decodeLossy(Int.self, at: "labels[*]").drops
      drops += try json.decodeLossy(Refusing.self, at: "others").drops
    }

    static let text =
      #"{"someTags": ["a", 5], "labels": ["x", 1], "ranks": {"a": "b"}, "rating": "c", "others": [true]}"#

    /// The paths of all drops of an entry.
    static func paths(below entry: String) -> [String] {
      [
        "['someTags'][1]", "['labels'][1]", "['ranks']['a']", "['rating']", "['labels'][0]", "['labels'][0]",
        "['others'][0]",
      ].map { entry + $0 }
    }
  }

  static let text = #"{"a": [1, {"é": 2}], "feed": {"list": [\#(Entry.text), \#(Entry.text)]}, "feed2": 1}"#
  static let data = Data(text.utf8)
  static let all = Entry.paths(below: "$['feed']['list'][0]") + Entry.paths(below: "$['feed']['list'][1]")

  private func expect(
    _ entries: [Entry], _ expected: [String] = all, location: SourceLocation = #_sourceLocation
  ) {
    let drops = entries.flatMap(\.drops)
    #expect(drops.map(\.path.description) == expected, sourceLocation: location)
    #expect(drops.map(\.failure.path.description) == expected, sourceLocation: location)
  }

  @Test(arguments: ["feed.list", "$['feed']['list']", "$..list", "$.feed[?length(@) > 1]"])
  func `the drops of a part of a document have paths from the document's root`(path: String) throws {
    let path = try JSONPath(parsing: path)
    expect(try JSONBytesDecoder().decode([Entry].self, from: Self.data, at: path))
    expect(try JSONDecoder().decode([Entry].self, from: Self.data, at: path))
    expect(try JSONDocument(Self.data).decode([Entry].self, at: path))
    expect(try JSONDocument(Self.data, validation: .trusted).decode([Entry].self, at: path))
    expect(try #require(try JSONDocument(Self.data).decodeIfPresent([Entry].self, at: path)))
    expect(try JSONDocument(Self.data).values([Entry].self, at: path)[0])
  }

  @Test func `the drops of a whole document have paths from its root`() throws {
    let whole = Data("[\(Entry.text)]".utf8)
    expect(try JSONBytesDecoder().decode([Entry].self, from: whole, at: "$"), Entry.paths(below: "$[0]"))
    expect(try JSONDecoder().decode([Entry].self, from: whole, at: "$"), Entry.paths(below: "$[0]"))
    expect(try JSONDecoder().decode([Entry].self, from: whole), Entry.paths(below: "$[0]"))
  }

  @Test func `each value that is decoded in one pass has the drops of its own place`() throws {
    let document = JSONDocument(Self.data)
    expect(try document.values(Entry.self, at: "feed.list[*]"))
    expect(try document.values(Entry.self, at: "feed.list[::-1]").reversed())
    let last = try JSONDecoder().decode(Entry.self, from: Self.data, at: "feed.list[-1]")
    expect([last], Entry.paths(below: "$['feed']['list'][1]"))
  }

  @Test func `a lossy wrapper that is the part itself has drops with paths from the document's root`() throws {
    let array: JSONPath = "feed.list[1].someTags"
    let expected = ["$['feed']['list'][1]['someTags'][1]"]
    let bytes = try JSONBytesDecoder().decode(LossyArray<String>.self, from: Self.data, at: array)
    #expect(bytes.projectedValue.map(\.path.description) == expected)
    let foundation = try JSONDecoder().decode(LossyArray<String>.self, from: Self.data, at: array)
    #expect(foundation.projectedValue.map(\.path.description) == expected)
    let rating: JSONPath = "feed.list[1].rating"
    let optional = try JSONBytesDecoder().decode(LossyOptional<Int>.self, from: Self.data, at: rating)
    #expect(optional.projectedValue?.path == rating && optional.projectedValue?.failure.path == rating)
    let theirs = try JSONDecoder().decode(LossyOptional<Int>.self, from: Self.data, at: rating)
    #expect(theirs.projectedValue?.path == rating && theirs.projectedValue?.failure.path == rating)
  }

  @Test func `a dropped value and a thrown error say the same about the same value`() throws {
    let thrown = try #require(throws: LocatedDecodingError.self) {
      try JSONBytesDecoder().decode([String].self, from: Self.data, at: "feed.list[1].someTags")
    }
    let lossy = try JSONBytesDecoder().decode(LossyArray<String>.self, from: Self.data, at: "feed.list[1].someTags")
    #expect(lossy.projectedValue.map(\.description) == [thrown.description])
    let theirs = try JSONDecoder().decode(LossyArray<String>.self, from: Self.data, at: "feed.list[1].someTags")
    #expect(theirs.projectedValue.map(\.failure.path) == [thrown.path])
  }

  /// A document inside a string, which has a root of its own.
  struct Letter: Decodable {
    var drops: [DroppedElement]
    var keys: [CodingUserInfoKey]

    init(from decoder: any Decoder) throws {
      let text = try decoder.singleValueContainer().decode(String.self)
      drops = try JSONDecoder().decode(LossyArray<Int>.self, from: Data(text.utf8)).projectedValue
      drops += try JSONDecoder().decode(LossyArray<Int>.self, from: Data(text.utf8), at: "$").projectedValue
      keys = Array(decoder.userInfo.keys)
    }
  }

  @Test func `a document that a type decodes inside another one has a root of its own`() throws {
    let data = Data(#"{"a": {"b": "[1, \"x\"]"}}"#.utf8)
    let key = try #require(CodingUserInfoKey(rawValue: "own"))
    let decoder = JSONDecoder()
    decoder.userInfo[key] = 1
    #expect(try decoder.decode(Letter.self, from: data, at: "a.b").drops.map(\.path) == ["$[1]", "$[1]"])
    #expect(try decoder.decode(Letter.self, from: data, at: "a.b").keys.contains(key))
    #expect(try JSONBytesDecoder().decode(Letter.self, from: data, at: "a.b").drops.map(\.path) == ["$[1]", "$[1]"])
    #expect(decoder.userInfo.count == 1)
  }

  @Test func `the drops of many parts far into a document do not read it from the beginning each time`() throws {
    let elements = (0..<20_000).map { $0 % 2 == 0 ? "\($0)" : "\"x\"" }.joined(separator: ",")
    let text = #"{"a": [\#(elements)], "b": {"c": [\#(elements)]}}"#
    let start = ContinuousClock.now
    let lossy = try JSONBytesDecoder().decode(LossyArray<Int>.self, from: Data(text.utf8), at: "b.c")
    #expect(lossy.projectedValue.count == 10_000)
    #expect(lossy.projectedValue.last?.path == "b.c[19999]")
    #expect(ContinuousClock.now - start < .seconds(20))
  }
}
