import Decoding
import Foundation
import Testing

@Suite struct JSONDecoderPathTests {
  let data = Data(
    """
    {"results": [{"popularity": 21.5, "title": "Fargo"}],
     "links": {"thumbnail": "t", "large": "l"}, "none": null, "later": [1, 2}
    """.utf8)

  @Test func `JSONDecoder decodes the value at a path and reads nothing after it`() throws {
    #expect(try JSONDecoder().decode(Double.self, from: data, at: "results[0].popularity") == 21.5)
    let title: String = try JSONDecoder().decode(from: data, at: "results[-1].title")
    #expect(title == "Fargo")
  }

  @Test func `the error for a missing name lists the existing names`() {
    let failure = #expect(throws: LocatedDecodingError.self) {
      try JSONDecoder().decode(String.self, from: data, at: "links.smallThumbnail")
    }
    #expect(failure?.kind == .missing)
    #expect(failure?.path == "links.smallThumbnail")
    #expect(failure?.siblings == ["thumbnail", "large"])
    #expect(
      failure?.description
        == "$['links']['smallThumbnail']: missing; the object has `thumbnail`, `large` at line 2, column 11 (byte 64)")
  }

  @Test func `the error for a step into the wrong kind of value names that value`() {
    let failure = #expect(throws: LocatedDecodingError.self) {
      try JSONDecoder().decode(String.self, from: data, at: "links.thumbnail.url")
    }
    #expect(failure?.kind == .mismatch)
    #expect(failure?.path == "links.thumbnail")
    #expect(failure?.expected == "an object")
    #expect(failure?.found == "a string")
    let null = #expect(throws: LocatedDecodingError.self) {
      try JSONDecoder().decode(Int.self, from: data, at: "none[0]")
    }
    #expect(null?.kind == .null)
  }

  @Test func `a JSONDecoder error has its path in the whole document`() {
    struct Movie: Decodable { var title: Int }
    let failure = #expect(throws: LocatedDecodingError.self) {
      try JSONDecoder().decode([Movie].self, from: data, at: "results")
    }
    #expect(failure?.kind == .mismatch)
    #expect(failure?.path == "results[0].title")
    #expect(failure?.expected == "Int")
    #expect(failure?.found == "a string")
    #expect(failure?.position?.offset == 43)
    #expect(failure?.snippet == #"…larity": 21.5, "title": "Fargo"}],  "links": {"thumbnail": "t", "large": "l"},…"#)
  }

  @Test func `malformed bytes along the path are reported with their position`() {
    let failure = #expect(throws: LocatedDecodingError.self) {
      try JSONDecoder().decode(Int.self, from: data, at: "no")
    }
    #expect(failure?.kind == .malformed)
    #expect(failure?.path == "later")
    #expect(failure?.position?.offset == data.count - 1)
    #expect(failure?.position?.line == 2)
  }

  @Test func `an invalid or unsupported path is an error`() {
    let wrong = #expect(throws: LocatedDecodingError.self) { try JSONDecoder().decode(Int.self, from: data, at: "a[") }
    #expect(wrong?.kind == .invalidPath)
    #expect(wrong?.underlyingError is JSONPathError)
  }

  @Test func `JSONDecoder decodes at a path in a data slice with a byte order mark`() throws {
    let padded = Data("xx\u{FEFF}{\"a\": [1, 2]}".utf8).dropFirst(2)
    #expect(try JSONDecoder().decode(Int.self, from: padded, at: "a[1]") == 2)
  }

  @Test(arguments: [
    String.Encoding.utf16, .utf16BigEndian, .utf16LittleEndian, .utf32, .utf32BigEndian, .utf32LittleEndian,
  ])
  func `JSONDecoder decodes at a path in UTF-16 and UTF-32 documents`(encoding: String.Encoding) throws {
    let data = try #require(#"{"größe": [1, "𝄞"]}"#.data(using: encoding))
    #expect(try JSONDecoder().decode(String.self, from: data, at: "größe[1]") == "𝄞")
  }

  @Test func `the decoder's strategies apply to the value at a path`() throws {
    struct Item: Decodable { var firstDate: Date }
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    decoder.dateDecodingStrategy = .secondsSince1970
    let data = Data(#"{"the_items": [{"first_date": 5}, {"first_date": "x"}]}"#.utf8)
    #expect(try decoder.decode(Item.self, from: data, at: "the_items[0]").firstDate == Date(timeIntervalSince1970: 5))
    let failure = #expect(throws: LocatedDecodingError.self) {
      try decoder.decode(Item.self, from: data, at: "the_items[1]")
    }
    #expect(failure?.path == "the_items[1].first_date")
  }

  @Test func `with JSON5 a path has the names that the key strategy produces`() throws {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let document = Data(#"{"first_movie": {"release_year": 1996}}"#.utf8)
    #expect(try decoder.decode(Int.self, from: document, at: "first_movie.release_year") == 1996)
    decoder.allowsJSON5 = true
    #expect(try decoder.decode(Int.self, from: document, at: "firstMovie.releaseYear") == 1996)
    #expect(throws: LocatedDecodingError.self) {
      try decoder.decode(Int.self, from: document, at: "first_movie.release_year")
    }
    #expect(throws: LocatedDecodingError.self) {
      try decoder.decode(Int.self, from: document + Data("?".utf8), at: "firstMovie.releaseYear")
    }
  }

  @Test func `JSONDecoder decodes at a path in JSON5`() throws {
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    #expect(try decoder.decode(Int.self, from: Data("{a: [+1, 0x10,],}".utf8), at: "a[1]") == 16)
    let failure = #expect(throws: LocatedDecodingError.self) {
      try decoder.decode(Int.self, from: Data("{a: {b: 'x'}}".utf8), at: "a.b")
    }
    #expect(failure?.kind == .mismatch)
    #expect(failure?.path == "a.b")
  }

  @Test(arguments: ["not json", "nul", "tru", #""open"#, "1.", "-"])
  func `an incomplete literal is reported as invalid JSON, not as a mismatch`(text: String) {
    let failure = #expect(throws: LocatedDecodingError.self) {
      try JSONDecoder().decode(Int.self, from: Data(text.utf8), at: "items")
    }
    #expect(failure?.kind == .malformed)
  }
}
