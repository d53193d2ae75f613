import Decoding
import Foundation
import LarderTestSupport
import Testing

@Suite struct FieldTests {
  let text = #"{"a": {"value": 7, "null": null, "text": "x"}, "b": null, "list": [{"k": null}, {"k": 1}]}"#

  func field(_ path: String) throws -> Field<Int> {
    let path = try JSONPath(parsing: path)
    return try Probe.json(text) { $0.field(Int.self, at: path) }
  }

  @Test func `a field distinguishes missing, null, a value and an invalid value`() throws {
    #expect(try field("a.value").value == 7)
    for path in ["a.no", "c.d", "list[5]", "list[0].x", "list[?@.x].k"] {
      guard case .missing = try field(path) else { Issue.record("\(path)"); continue }
    }
    for path in ["a.null", "b", "b.c", "list[0].k", "list[?@.k == null].k"] {
      guard case .null = try field(path) else { Issue.record("\(path)"); continue }
    }
    for path in ["a.text", "a.text.x", "a", "$..value"] {
      guard case .invalid = try field(path) else { Issue.record("\(path)"); continue }
    }
  }

  @Test func `get throws only for an invalid field`() throws {
    #expect(try field("a.value").get() == 7)
    #expect(try field("a.no").get() == nil)
    #expect(try field("b").get() == nil)
    #expect(throws: DecodingError.self) { try field("a.text").get() }
  }

  @Test func `map keeps a field's case and catches an error of its closure`() throws {
    struct Refused: Error {}
    #expect(Field.value(2).map { $0 * 2 }.value == 4)
    guard case .missing = Field<Int>.missing.map({ $0 }) else { throw Refused() }
    guard case .null = Field<Int>.null.map({ $0 }) else { throw Refused() }
    guard case .invalid(let error) = Field.value(2).map({ _ -> Int in throw Refused() }) else { throw Refused() }
    #expect(error is Refused)
    guard case .invalid = Field<Int>.invalid(Refused()).map({ $0 }) else { throw Refused() }
  }

  struct Patch: Codable {
    var name: Field<String>
    var age: Field<Int>
  }

  @Test(arguments: [#"{}"#, #"{"age":null}"#, #"{"age":3,"name":null}"#, #"{"name":"x"}"#])
  func `a synthesized type decodes fields and encodes the same JSON`(text: String) throws {
    let patch = try JSONDecoder().decode(Patch.self, from: Data(text.utf8))
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(String(decoding: try encoder.encode(patch), as: UTF8.self) == text)
  }

  @Test func `an invalid field is kept when decoding and refused when encoding`() throws {
    let patch = try JSONDecoder().decode(Patch.self, from: Data(#"{"age": "x"}"#.utf8))
    guard case .invalid(DecodingError.typeMismatch) = patch.age else { throw CocoaError(.coderInvalidValue) }
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(patch) }
  }

  struct Book: Codable, Equatable {
    var title: String
    var publisher: String?
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

  @Test(arguments: TestedDecoder.all) func `a type with fields changes only the members that a document has`(
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
