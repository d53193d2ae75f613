import Decoding
import Foundation
import Testing

@Suite struct JSONDocumentTests {
  let json = #"""
    {"stat": "ok", "photos": {"page": 1, "photo": [
      {"id": "1", "title": "A", "tags": ["x", "y"]}, {"id": "2", "\u0074itle": "B", "tags": []}, {"id": "3", "title": null}
    ]}, "é": 5, "photos": 7}
    """#

  var document: JSONDocument { JSONDocument(Data(json.utf8)) }

  struct Photo: Decodable, Equatable {
    let id: String
    let title: String?
  }

  func failure(_ body: () throws -> Void) -> LocatedDecodingError? {
    #expect(throws: LocatedDecodingError.self) { try body() }
  }

  @Test func `a document decodes the value at a path`() throws {
    #expect(try document.decode(Int.self, at: "photos.page") == 1)
    #expect(try document.decode(Photo.self, at: "photos.photo[1]") == Photo(id: "2", title: "B"))
    #expect(try document.decode(String.self, at: "photos.photo[-2].title") == "B")
    #expect(try document.decode([String].self, at: "photos.photo[0]['tags']") == ["x", "y"])
    #expect(try document.decode(Int.self, at: "é") == 5)
    let stat: String = try document.decode(at: "stat")
    #expect(stat == "ok")
  }

  @Test func `a document decodes as a whole with the root path`() throws {
    #expect(try JSONDocument(Data(" 12 ".utf8)).decode(Int.self) == 12)
    #expect(try JSONDocument(Data("null".utf8)).decodeIfPresent(Int.self, at: "$") == nil)
    #expect(failure { _ = try JSONDocument(Data("12 x".utf8)).decode(Int.self) }?.kind == .malformed)
    #expect(failure { _ = try JSONDocument(Data()).decode(Int.self) }?.kind == .malformed)
  }

  @Test func `a path with several matches gives the first, or all of them`() throws {
    #expect(try document.values(String.self, at: "photos.photo[*].id") == ["1", "2", "3"])
    #expect(try document.decode(String.self, at: "photos.photo[?@.title=='B'].id") == "2")
    #expect(try document.values(Photo.self, at: "photos.photo[?@.id=='3']") == [Photo(id: "3", title: nil)])
    #expect(try document.values(Int.self, at: "photos.photo[9]").isEmpty)
    #expect(try document.values(Int.self, at: "photos.page") == [1])
    #expect(try document.decodeIfPresent(String.self, at: "photos.photo[?@.id=='4'].id") == nil)
    #expect(failure { _ = try document.decode(String.self, at: "photos.photo[?@.id=='4'].id") }?.kind == .missing)
  }

  @Test func `missing and null are nil if the caller decodes an optional`() throws {
    #expect(try document.decodeIfPresent(String.self, at: "photos.photo[2].title") == nil)
    #expect(try document.decodeIfPresent(String.self, at: "photos.photo[2].title.deeper") == nil)
    #expect(try document.decodeIfPresent(String.self, at: "photos.photo[2].owner") == nil)
    #expect(try document.decodeIfPresent(String.self, at: "photos.photo[0].title") == "A")
  }

  @Test func `a document's decoding error reports position and cause`() {
    let missing = failure { _ = try document.decode(Int.self, at: "photos.pages") }
    #expect(missing?.kind == .missing)
    #expect(missing?.path == "photos.pages")
    #expect(missing?.siblings == ["page", "photo"])
    let step = failure { _ = try document.decodeIfPresent(Int.self, at: "photos.page.first") }
    #expect(step?.kind == .mismatch)
    #expect(step?.path == "photos.page")
    #expect(step?.found == "a number")
    let inside = failure { _ = try document.decode([Photo].self, at: "photos.photo[1].tags.x") }
    #expect(inside?.kind == .mismatch)
    let type = failure { _ = try document.decode([Int].self, at: "photos.photo[0].tags") }
    #expect(type?.path == "photos.photo[0].tags[0]")
    #expect(type?.position?.line == 2)
    #expect(failure { _ = try document.decode(Int.self, at: "photos[") }?.kind == .invalidPath)
  }

  @Test func `a document is checked up to the requested value and not read after it`() throws {
    let behind = JSONDocument(Data(#"{"a":{"b":1},"c":tru"#.utf8))
    #expect(try behind.decode(Int.self, at: "a.b") == 1)
    for before in [#"{"x":1.2.3,"a":1}"#, #"{"x":"\q","a":1}"#, #"{"x":[1,],"a":1}"#, #"{"x":{"y":tru},"a":1}"#] {
      let document = JSONDocument(Data(before.utf8))
      #expect(failure { _ = try document.decode(Int.self, at: "a") }?.kind == .malformed, "\(before)")
      #expect(failure { _ = try document.decodeIfPresent(Int.self, at: "a") }?.kind == .malformed, "\(before)")
    }
    let invalid = Data(#"{"x":""#.utf8) + Data([0xFF]) + Data(#"","y":[1.2.3],"a":1}"#.utf8)
    #expect(failure { _ = try JSONDocument(invalid).decode(Int.self, at: "a") }?.kind == .malformed)
    #expect(try JSONDocument(Data(#"{"y":[1.2.3],"a":1}"#.utf8), validation: .trusted).decode(Int.self, at: "a") == 1)
  }

  @Test func `a value that may be absent is nil, or fails with the error of its path`() throws {
    #expect(try document.decodeIfPresent(String.self, at: "photos.photo[1].title") == "B")
    #expect(try document.decodeIfPresent([String].self, at: "photos.photo[0].tags") == ["x", "y"])
    for path: JSONPath in ["photos.photo[0].owner", "photos.photo[2].title.x", "photos.photo[?@.title=='Z'].id"] {
      #expect(try document.decodeIfPresent(String.self, at: path) == nil)
    }
    for path: JSONPath in ["photos.page", "photos.page.x", "photos[0]"] {
      let failure = failure { _ = try document.decodeIfPresent(String.self, at: path) }
      #expect(failure?.path == self.failure { _ = try document.decode(String.self, at: path) }?.path)
      #expect(failure?.kind == .mismatch)
    }
  }

  @Test func `documents may be UTF-16, have a byte order mark or be data slices`() throws {
    for encoding: String.Encoding in [.utf16, .utf16BigEndian, .utf32LittleEndian] {
      let data = try #require(json.data(using: encoding))
      #expect(try JSONDocument(data).decode(Int.self, at: "photos.page") == 1)
    }
    let slice = (Data("{}".utf8) + Data([0xEF, 0xBB, 0xBF]) + Data(json.utf8)).dropFirst(2)
    #expect(try JSONDocument(slice).decode(String.self, at: "photos.photo[0].title") == "A")
  }

  @Test func `a decoder's options apply to the value, not to its path`() throws {
    let decoder = JSONBytesDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    struct Name: Decodable { let firstName: String }
    let data = Data(#"{"the_person":{"first_name":"A"}}"#.utf8)
    #expect(try decoder.decode(Name.self, from: data, at: "the_person").firstName == "A")
    #expect(failure { _ = try decoder.decode(Name.self, from: data, at: "thePerson") }?.kind == .missing)
  }

  @Test func `huge names, duplicate members and long numbers are skipped in linear time`() throws {
    // Quadratic time would not end with these sizes.
    let members = Array(repeating: #""a":1"#, count: 100_000).joined(separator: ",")
    let key = String(repeating: "k", count: 1 << 20)
    let digits = String(repeating: "7", count: 10_000)
    let text = #"{"\#(key)":1,"many":{\#(members),"b":2},"number":\#(digits),"lone":"\ud800","end":5}"#
    let document = JSONDocument(Data(text.utf8))
    #expect(try document.decode(Int.self, at: "end") == 5)
    #expect(try document.values(Int.self, at: "many[?@ == 2]") == [2])
    #expect(try document.values(Int.self, at: "$..b") == [2])
    #expect(failure { _ = try document.decode(Double.self, at: "number") }?.kind == .invalid)
    #expect(failure { _ = try document.decode(String.self, at: "number") }?.path == "number")
    #expect(failure { _ = try document.decode(String.self, at: "lone") }?.kind == .invalid)
    struct Far: Decodable {
      var values: [Int]
      init(from decoder: any Decoder) throws {
        let json = try decoder.nested()
        values = [try json.decode(at: "many.b"), try json.decode(at: "many.a"), try json.decode(at: "end")]
      }
    }
    #expect(throws: LocatedDecodingError.self) { try JSONBytesDecoder().decode(Far.self, from: Data("[\(text)".utf8)) }
    #expect(
      try JSONBytesDecoder().decode(Far.self, from: Data(text.replacing(#""\ud800""#, with: "0").utf8)).values == [
        2, 1, 5,
      ])
  }

  @Test func `nesting beyond the limit is an error, also along the path`() {
    let deep = Data((String(repeating: #"{"a":"#, count: 600) + "1" + String(repeating: "}", count: 600)).utf8)
    #expect(failure { _ = try JSONDocument(deep).decode(Int.self, at: "b") }?.kind == .limit)
    #expect(failure { _ = try JSONDocument(deep).decodeIfPresent(Int.self, at: "b") }?.kind == .limit)
  }
}
