import Decoding
import Foundation
import LarderTestSupport
import Testing

@Suite struct JSONMergePatchTests {
  /// The examples of RFC 7396, appendix A: a value, a patch, the result.
  static let published: [[String]] = [
    [#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#],
    [#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#],
    [#"{"a":"b"}"#, #"{"a":null}"#, "{}"],
    [#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#],
    [#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#],
    [#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#],
    [#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#],
    [#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#],
    [#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#],
    [#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#],
    [#"{"a":"foo"}"#, "null", "null"],
    [#"{"a":"foo"}"#, #""bar""#, #""bar""#],
    [#"{"e":null}"#, #"{"a":1}"#, #"{"e":null,"a":1}"#],
    ["[1,2]", #"{"a":"b","c":null}"#, #"{"a":"b"}"#],
    ["{}", #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#],
    // The document of section 3 and its changes.
    [
      #"{"title":"Goodbye!","author":{"givenName":"John","familyName":"Doe"},"tags":["example","sample"],"content":"This will be unchanged"}"#,
      ##"{"title":"Hello!","phoneNumber":"+01-123-456-7890","author":{"familyName":null},"tags":["example"]}"##,
      ##"{"title":"Hello!","author":{"givenName":"John"},"tags":["example"],"content":"This will be unchanged","phoneNumber":"+01-123-456-7890"}"##,
    ],
  ]

  @Test(arguments: published) func `the published merge patch examples give their results, in order`(row: [String])
    throws
  {
    let patch = try JSONBytesDecoder().decode(JSONMergePatch.self, from: Data(row[1].utf8))
    #expect(patch.applied(to: try JSONValue(parsing: row[0])).description == row[2])
    #expect(try JSONDecoder().decode(JSONMergePatch.self, from: JSONEncoder().encode(patch)) == patch)
  }

  /// The algorithm of section 2, as it is written there.
  private func merged(_ target: JSONValue, _ patch: JSONValue) -> JSONValue {
    guard let changes = patch.object else { return patch }
    var result = target.object ?? [:]
    for (name, change) in changes {
      result[name] = change.isNull ? nil : merged(result[name] ?? .null, change)
    }
    return .object(result)
  }

  @Test func `random merge patches agree with the standard's algorithm`() throws {
    var random = SplitMix.printed()
    func value() -> JSONValue? { try? JSONValue(parsing: RandomDocument(seed: random.next()).text) }
    for _ in 0..<1000 {
      guard let target = value(), let patch = value() else { continue }
      #expect(JSONMergePatch(patch).applied(to: target).description == merged(target, patch).description)
    }
  }

  @Test func `merging deep values needs no stack, and wide ones no quadratic time`() async throws {
    let isRight = try await onSmallStack {
      let deep = (0..<10_000).reduce(JSONValue(1)) { inner, _ in ["a": inner] }
      let wide = JSONValue.object((0..<50_000).reduce(into: [:]) { $0["\($1)"] = 1 as JSONValue })
      let none = JSONValue.object((0..<50_000).reduce(into: [:]) { $0["\($1)"] = .null })
      return JSONMergePatch(deep).applied(to: deep) == deep && JSONMergePatch(deep).applied(to: 1) == deep
        && JSONMergePatch(none).applied(to: wide) == [:]
    }
    #expect(isRight)
  }

  struct Book: Codable, Equatable {
    var title: String
    var publisher: String?
    var tags: [String] = []
  }

  @Test func `a merge patch of a typed value changes its encoded form`() throws {
    let book = Book(title: "E", publisher: "Orbit", tags: ["a"])
    let patch = JSONMergePatch(["title": "Emma", "publisher": .null])
    #expect(try patch.applied(encoding: book) == Book(title: "Emma", publisher: nil, tags: ["a"]))
    #expect(throws: LocatedDecodingError.self) { try JSONMergePatch(["title": .null]).applied(encoding: book) }
  }

  struct BookPatch: Codable {
    var title: Field<String>
    var publisher: Field<String>

    func apply(to book: inout Book) throws {
      var changed = book
      try title.apply(to: &changed.title)
      try publisher.apply(to: &changed.publisher)
      book = changed
    }
  }

  @Test(arguments: TestedDecoder.all) func `a type with fields serves as a merge patch of typed values`(
    decoder: TestedDecoder
  ) throws {
    var book = Book(title: "E", publisher: "Orbit")
    try decoder.decode(BookPatch.self, #"{"title":"Emma"}"#).apply(to: &book)
    #expect(book == Book(title: "Emma", publisher: "Orbit"))
    try decoder.decode(BookPatch.self, #"{"publisher":null}"#).apply(to: &book)
    #expect(book == Book(title: "Emma", publisher: nil))
    let before = book
    for text in [#"{"publisher":"Orbit","title":null}"#, #"{"publisher":7}"#, #"{"title":7}"#] {
      #expect(throws: DecodingError.self) { try decoder.decode(BookPatch.self, text).apply(to: &book) }
      #expect(book == before)
    }
    let patch = BookPatch(title: Field(changing: "E", to: "E"), publisher: Field(changing: "a", to: nil))
    #expect(try patch.encoded == ["publisher": .null])
    #expect(try BookPatch(title: Field(changing: nil, to: "b"), publisher: .missing).encoded == ["title": "b"])
  }
}
