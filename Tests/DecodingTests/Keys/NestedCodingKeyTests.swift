import Decoding
import Foundation
import Testing

@Suite struct NestedCodingKeyTests {
  struct Book: Codable {
    var kind: String
    var title: String
    var pages: Int?
    var rating: Double
    var authors: [String]?
    var link: URL?
    var dotted: Bool
    @SecondsSince1970 var created: Date?
    @Default<DefaultValue.Zero> var retries: Int
    @LossyArray var tags: [String]
    var note: Field<String>

    enum CodingKeys: String, NestedCodingKey {
      case kind
      case title = "volumeInfo.title"
      case pages = "volumeInfo.pageCount"
      case rating = "volumeInfo.deep.er.rating"
      case authors = "volumeInfo.authors"
      case link = "volumeInfo.imageLinks.thumbnail"
      case dotted = "['a.b'].c"
      case created = "volumeInfo.created"
      case retries = "volumeInfo.deep.retries"
      case tags = "volumeInfo.tags"
      case note = "volumeInfo.note"
    }
  }

  let text = """
    {"kind": "book", "volumeInfo": {"title": "Ruby", "pageCount": 312, "deep": {"er": {"rating": 4.5}, "retries": 2},
     "authors": ["A", "B"], "imageLinks": {"thumbnail": "http://x.org/t"}, "created": 5, "tags": ["x", 1, "y"],
     "note": "n"}, "a.b": {"c": true}}
    """

  @Test func `a synthesized type with nested coding keys decodes nested values`() throws {
    let book = try JSONDecoder().decode(Book.self, from: Data(text.utf8))
    #expect(book.kind == "book")
    #expect(book.title == "Ruby")
    #expect(book.pages == 312)
    #expect(book.rating == 4.5)
    #expect(book.authors == ["A", "B"])
    #expect(book.link == URL(string: "http://x.org/t"))
    #expect(book.dotted)
    #expect(book.created == Date(timeIntervalSince1970: 5))
    #expect(book.retries == 2)
    #expect(book.tags == ["x", "y"])
    #expect(book.$tags.map(\.path) == ["volumeInfo.tags[1]"])
    #expect(book.note.value == "n")
  }

  func sorted(_ book: Book) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(book), as: UTF8.self)
  }

  @Test func `nested coding keys encode to the same paths, in JSON and in property lists`() throws {
    let book = try JSONDecoder().decode(Book.self, from: Data(text.utf8))
    let data = try JSONEncoder().encode(book)
    #expect(try sorted(try JSONDecoder().decode(Book.self, from: data)) == sorted(book))
    #expect(try JSONDecoder().decode(Double.self, from: data, at: "volumeInfo.deep.er.rating") == 4.5)
    #expect(try JSONDecoder().decode(Bool.self, from: data, at: "['a.b'].c"))
    for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
      let encoder = PropertyListEncoder()
      encoder.outputFormat = format
      #expect(try sorted(try PropertyListDecoder().decode(Book.self, from: try encoder.encode(book))) == sorted(book))
    }
  }

  @Test(arguments: [
    #"{"kind": "k", "volumeInfo": {"title": "t", "deep": {"er": {"rating": 1}}}, "a.b": {"c": false}}"#,
    #"""
    {"kind": "k", "volumeInfo": {"title": "t", "pageCount": null, "deep": {"er": {"rating": 1}, "retries": null},
     "authors": null, "imageLinks": null, "created": null, "tags": null}, "a.b": {"c": false}}
    """#,
  ])
  func `optional properties are nil where part of the path is missing or null`(text: String) throws {
    let book = try JSONDecoder().decode(Book.self, from: Data(text.utf8))
    #expect(book.pages == nil && book.authors == nil && book.link == nil && book.created == nil)
    #expect(book.retries == 0 && book.tags.isEmpty)
    guard case .missing = book.note else { throw CocoaError(.coderInvalidValue) }
    let encoded = try JSONEncoder().encode(book)
    let keys = try JSONDecoder().decode([String: Ignored].self, from: encoded, at: "volumeInfo").keys
    #expect(keys.sorted() == ["deep", "tags", "title"])
  }

  struct Ignored: Decodable { init(from decoder: any Decoder) throws {} }

  @Test func `errors of nested coding keys have the whole path`() throws {
    let data = Data(#"{"kind": "k", "volumeInfo": {"title": "t", "deep": {"er": {"rating": "x"}}}, "a.b": 1}"#.utf8)
    let wrong = try #require(throws: LocatedDecodingError.self) {
      try JSONDecoder().decode(Book.self, from: data, at: "$")
    }
    #expect(wrong.kind == .mismatch)
    #expect(wrong.path == "volumeInfo.deep.er.rating")
    let missing = try #require(throws: LocatedDecodingError.self) {
      try JSONDecoder().decode(Book.self, from: Data(#"{"kind": "k", "volumeInfo": {"titel": "t"}}"#.utf8), at: "$")
    }
    #expect(missing.kind == .missing)
    #expect(missing.path == "volumeInfo.title")
    #expect(missing.siblings == ["titel"])
    let first = try #require(throws: LocatedDecodingError.self) {
      try JSONDecoder().decode(Book.self, from: Data(#"{"kind": "k", "volume": 1}"#.utf8), at: "$")
    }
    #expect(first.path == "volumeInfo")
    #expect(first.siblings == ["kind", "volume"])
  }

  struct Filtered: Codable {
    var isbn: String?
    var second: Int
    enum CodingKeys: String, NestedCodingKey {
      case isbn = "info.ids[?@.type=='ISBN_13'].id"
      case second = "list[1]"
    }
  }

  @Test func `coding keys with filters and indices decode but cannot be encoded`() throws {
    let text = #"{"info": {"ids": [{"type": "X", "id": "1"}, {"type": "ISBN_13", "id": "2"}]}, "list": [1, 2]}"#
    let found = try JSONDecoder().decode(Filtered.self, from: Data(text.utf8))
    #expect(found.isbn == "2")
    #expect(found.second == 2)
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(found) }
  }

  struct Wrong: Codable {
    var a: Int?
    enum CodingKeys: String, NestedCodingKey { case a = "x[" }
  }
  struct Indexed: Codable {
    var a: Int?
    enum CodingKeys: String, NestedCodingKey { case a = "[0].x" }
  }

  @Test func `a coding key that is not a path or does not start with a name is an error`() throws {
    let error = try #require(throws: LocatedDecodingError.self) {
      try JSONDecoder().decode(Wrong.self, from: Data("{}".utf8), at: "$")
    }
    #expect(error.kind == .invalidPath)
    let unsupported = try #require(throws: LocatedDecodingError.self) {
      try JSONDecoder().decode(Indexed.self, from: Data("{}".utf8), at: "$")
    }
    #expect(unsupported.kind == .unsupportedPath)
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(Wrong(a: 1)) }
  }

  struct Plain: Codable, Equatable {
    var status: Int, kind: String, ref: String, lang: String, first: Int, attributes: String, code: Int, names: [Int]
    enum CodingKeys: String, CodingKey {
      case status = "status-code", kind = "@type", ref = "$ref", lang = "xml:lang", first = "1st", attributes = "$"
      case code = "größe-1", names = "a-b"
    }
  }
  struct Pathlike: Codable, Equatable {
    var status: Int, kind: String, ref: String, lang: String, first: Int, attributes: String, code: Int, names: Int
    enum CodingKeys: String, NestedCodingKey, CaseIterable {
      case status = "status-code", kind = "@type", ref = "$ref", lang = "xml:lang", first = "1st", attributes = "$"
      case code = "größe-1", names = "a-b[0]"
    }
  }
  struct Deep: Codable, Equatable {
    var status: Int, kind: String, ref: String, first: Int, rooted: Int
    enum CodingKeys: String, NestedCodingKey, CaseIterable {
      case status = "$defs.status-code", kind = "$defs.@type.xml:lang", ref = "$.a.$ref", first = "a.1.2nd"
      case rooted = "$['a'].x-y"
    }
  }

  @Test func `a raw value that is a name in common formats remains one when its enum becomes path keys`() throws {
    let plain = Plain(
      status: 1, kind: "k", ref: "#/a", lang: "de", first: 2, attributes: "x", code: 3, names: [4])
    let data = try JSONEncoder().encode(plain)
    let paths = try JSONDecoder().decode(Pathlike.self, from: data)
    #expect(paths.status == 1 && paths.kind == "k" && paths.ref == "#/a" && paths.lang == "de" && paths.first == 2)
    #expect(paths.attributes == "x" && paths.code == 3 && paths.names == 4)
    #expect(try JSONBytesDecoder().decode(Pathlike.self, from: data) == paths)
    let deep = Deep(status: 1, kind: "k", ref: "r", first: 2, rooted: 3)
    #expect(
      try deep.encoded == [
        "$defs": ["status-code": 1, "@type": ["xml:lang": "k"]], "a": ["$ref": "r", "1": ["2nd": 2], "x-y": 3],
      ])
    #expect(try JSONBytesDecoder().decode(Deep.self, from: JSONBytesEncoder().encode(deep)) == deep)
  }

  enum Filters: String, NestedCodingKey { case one = "a[?@.b-c==1].d", two = "a..b-c", three = "a b", four = "a+b" }

  @Test func `only the names of a path key outside of filters may have further characters`() throws {
    #expect(throws: JSONPathError.self) { try Filters.one.path.validated() }
    #expect(try Filters.two.path.validated() == "a..['b-c']")
    #expect(throws: JSONPathError.self) { try Filters.three.path.validated() }
    #expect(throws: JSONPathError.self) { try Filters.four.path.validated() }
    for text in ["status-code", "@type", "$ref", "xml:lang", "1st", "a.b-c"] {
      #expect(throws: JSONPathError.self) { try JSONPath(parsing: text) }
    }
  }

  @Test func `the paths of all keys can be checked before the first document`() throws {
    enum Bracket: String, NestedCodingKey, CaseIterable { case good = "a.b", bad = "a[" }
    enum Index: String, NestedCodingKey, CaseIterable { case a = "[0].x" }
    enum Twice: String, NestedCodingKey, CaseIterable { case a = "a.b", b = "c", c = "$.a['b']" }
    enum Inside: String, NestedCodingKey, CaseIterable { case a = "a.b.c", b = "a.b" }
    enum Reading: String, NestedCodingKey, CaseIterable { case a = "a[0].b", b = "a[?@.c==1].b" }
    try Deep.CodingKeys.checkPaths(forEncoding: true)
    try Pathlike.CodingKeys.checkPaths()
    #expect(throws: JSONPathError.self) { try Pathlike.CodingKeys.checkPaths(forEncoding: true) }
    #expect(#expect(throws: JSONPathError.self) { try Bracket.checkPaths() }?.column == 3)
    #expect(#expect(throws: JSONPathError.self) { try Index.checkPaths() }?.path == "[0].x")
    try Reading.checkPaths()
    let reason = #expect(throws: JSONPathError.self) { try Reading.checkPaths(forEncoding: true) }?.reason
    #expect(reason?.contains("only names") == true)
    for check in [Twice.checkPaths, Inside.checkPaths] as [(Bool) throws -> Void] {
      try check(false)
      #expect(#expect(throws: JSONPathError.self) { try check(true) }?.reason.contains("`a.b") == true)
    }
  }

  struct Alias: Codable, Equatable {
    var title: String, year: Int?, ids: [Int]?
    @LossyArray var tags: [String]
    enum CodingKeys: String, NestedCodingKey, CaseIterable {
      case title = "['title','name']", year = "info['year','released'].value", ids = "['ids','info']['list','ids']"
      case tags = "['tags','labels']"
    }
  }

  @Test(arguments: [
    #"{"name": "t", "info": {"released": {"value": 1}, "ids": [2]}, "labels": ["x"]}"#,
    #"{"title": "t", "name": 5, "info": {"year": {}, "released": {"value": 1}, "list": [2]}, "tags": ["x"]}"#,
    #"{"labels": ["x", 1], "info": {"ids": [2], "year": {"value": 1}}, "ids": {}, "title": "t"}"#,
  ])
  func `the first of several names in brackets that is there is decoded, and the first is encoded`(text: String) throws
  {
    let alias = try JSONBytesDecoder().decode(Alias.self, from: Data(text.utf8))
    #expect(alias == Alias(title: "t", year: 1, ids: [2], tags: ["x"]))
    let encoded = try JSONEncoder().encode(alias), own = try JSONBytesEncoder().encode(alias)
    let expected = #"{"title": "t", "info": {"year": {"value": 1}}, "ids": {"list": [2]}, "tags": ["x"]}"#
    for data in [encoded, own] {
      #expect(try JSONValue(parsing: String(decoding: data, as: UTF8.self)) == JSONValue(parsing: expected))
    }
    #expect(try JSONBytesDecoder().decode(Alias.self, from: own) == alias)
    let keeping = try JSONBytesDecoder().decode(KeepingUnknown<Alias>.self, from: Data(text.utf8))
    #expect(keeping.wrappedValue == alias && keeping.projectedValue.isEmpty)
    try Alias.CodingKeys.checkPaths(forEncoding: true)
  }

  @Test func `several names of which none is there are missing, and need our decoder where no name is before them`()
    throws
  {
    let none = try JSONBytesDecoder().decode(Alias.self, from: Data(#"{"title": "t", "info": null}"#.utf8))
    #expect(none == Alias(title: "t", year: nil, ids: nil, tags: []))
    let missing = try #require(throws: LocatedDecodingError.self) {
      try JSONBytesDecoder().decode(Alias.self, from: Data(#"{"titel": "t"}"#.utf8))
    }
    #expect(missing.kind == .missing && "\(missing)".contains("['title','name']"))
    let wrong = try #require(throws: LocatedDecodingError.self) {
      try JSONBytesDecoder().decode(Alias.self, from: Data(#"{"name": 1}"#.utf8))
    }
    #expect(wrong.kind == .mismatch && wrong.path == "name")
    let foreign = try #require(throws: LocatedDecodingError.self) {
      try JSONDecoder().decode(Alias.self, from: Data(#"{"title": "t"}"#.utf8), at: "$")
    }
    #expect(foreign.kind == .unsupportedPath)
    struct Inner: Decodable {
      var year: Int
      enum CodingKeys: String, NestedCodingKey { case year = "info['year','released']" }
    }
    #expect(try JSONDecoder().decode(Inner.self, from: Data(#"{"info": {"released": 1}}"#.utf8)).year == 1)
  }

  @Test func `several names in brackets are those of the key strategy`() throws {
    struct Film: Codable, Equatable {
      var title: String, year: Int
      enum CodingKeys: String, NestedCodingKey {
        case title = "['title','movieName']", year = "filmInfo['firstYear','y']"
      }
    }
    let (decoder, encoder) = (JSONBytesDecoder(), JSONBytesEncoder())
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    encoder.keyEncodingStrategy = .convertToSnakeCase
    for text in [#"{"movie_name":"a","film_info":{"y":1}}"#, #"{"title":"a","film_info":{"first_year":1,"y":2}}"#] {
      let film = try decoder.decode(Film.self, from: Data(text.utf8))
      #expect(film == Film(title: "a", year: 1))
      let encoded = String(decoding: try encoder.encode(film), as: UTF8.self)
      #expect(encoded == #"{"title":"a","film_info":{"first_year":1}}"#)
    }
  }

  /// Every type for which the standard library has a method of its own.
  struct Numbers: Codable, Equatable {
    var bool: Bool, string: String, double: Double, float: Float
    var int: Int, int8: Int8, int16: Int16, int32: Int32, int64: Int64
    var uint: UInt, uint8: UInt8, uint16: UInt16, uint32: UInt32, uint64: UInt64
    var int128: Int128, uint128: UInt128
    enum CodingKeys: String, NestedCodingKey {
      case bool = "n.bool", string = "n.string", double = "n.double", float = "n.float"
      case int = "n.int", int8 = "n.int8", int16 = "n.int16", int32 = "n.int32", int64 = "n.int64"
      case uint = "n.uint", uint8 = "n.uint8", uint16 = "n.uint16", uint32 = "n.uint32", uint64 = "n.uint64"
      case int128 = "n.int128", uint128 = "n.uint128"
    }
  }
  struct OptionalNumbers: Codable, Equatable {
    var bool: Bool?, string: String?, double: Double?, float: Float?
    var int: Int?, int8: Int8?, int16: Int16?, int32: Int32?, int64: Int64?
    var uint: UInt?, uint8: UInt8?, uint16: UInt16?, uint32: UInt32?, uint64: UInt64?
    var int128: Int128?, uint128: UInt128?
    typealias CodingKeys = Numbers.CodingKeys
  }

  @Test func `every primitive type is decoded along a nested coding key's path`() throws {
    let numbers = Numbers(
      bool: true, string: "s", double: 1.5, float: 2.5, int: 1, int8: 2, int16: 3, int32: 4, int64: 5, uint: 6,
      uint8: 7,
      uint16: 8, uint32: 9, uint64: 10, int128: 11, uint128: 12)
    let data = try JSONEncoder().encode(numbers)
    #expect(try JSONDecoder().decode(Int.self, from: data, at: "n.int") == 1)
    #expect(try JSONDecoder().decode(Numbers.self, from: data) == numbers)
    let optional = try JSONDecoder().decode(OptionalNumbers.self, from: data)
    #expect(try JSONDecoder().decode(Numbers.self, from: try JSONEncoder().encode(optional)) == numbers)
    let empty = try JSONDecoder().decode(OptionalNumbers.self, from: Data("{}".utf8))
    #expect(String(decoding: try JSONEncoder().encode(empty), as: UTF8.self) == "{}")
  }
}
