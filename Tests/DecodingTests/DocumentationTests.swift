import Decoding
import Foundation
import Testing

/// What the documentation shows, compiled and run.
@Suite struct DocumentationTests {
  struct Book: Decodable {
    var title: String
    var publisher: String?
    var isbn: String?

    init(from decoder: any Decoder) throws {
      let json = try decoder.nested()
      title = try json.decode(at: "volumeInfo.title")
      publisher = try json.decodeIfPresent(at: "volumeInfo.publisher")
      isbn = try json.decodeIfPresent(at: "volumeInfo.industryIdentifiers[?@.type=='ISBN_13'].identifier")
    }
  }

  struct KeyedBook: Codable {
    var title: String
    var isbn: String?

    enum CodingKeys: String, NestedCodingKey {
      case title = "volumeInfo.title"
      case isbn = "volumeInfo.industryIdentifiers[?@.type=='ISBN_13'].identifier"
    }
  }

  let book = Data(
    """
    {"volumeInfo": {"title": "Ruby", "industryIdentifiers": [{"type": "ISBN_13", "identifier": "978"}],
     "released": "2020-02-01", "pages": "312", "authors": ["Ann", "Ben"]}}
    """.utf8)

  @Test func `the documented book is decoded with nested paths and with nested keys`() throws {
    let first = try JSONDecoder().decode(Book.self, from: book)
    let second = try JSONDecoder().decode(KeyedBook.self, from: book)
    #expect(first.title == "Ruby" && second.title == "Ruby")
    #expect(first.isbn == "978" && second.isbn == "978")
    #expect(first.publisher == nil)
    // The same on the decoder over bytes.
    #expect(try JSONBytesDecoder().decode(Book.self, from: book).isbn == "978")
    #expect(try JSONBytesDecoder().decode(KeyedBook.self, from: book).isbn == "978")
  }

  @Test func `the paths of the type's documentation work`() throws {
    let rating: JSONPath = "results[0].popularity"
    let isbn: JSONPath = "volumeInfo.industryIdentifiers[?@.type=='ISBN_13'].identifier"
    let dotted: JSONPath = "['a.b'].c"
    let typed = try JSONPath(parsing: "results[0].popularity")
    #expect(typed == rating)
    #expect(!isbn.isSingular && dotted.isSingular)
  }

  @Test func `fields, strategies and lossy results work as documented`() throws {
    struct Shown: Decodable {
      var publisher: String
      var released: Date
      var pages: Int?
      var titles: [String]

      init(from decoder: any Decoder) throws {
        let json = try decoder.nested()
        switch json.field(String.self, at: "volumeInfo.publisher") {
        case .missing, .null: publisher = "unknown"
        case .value(let name): publisher = name
        case .invalid(let error): throw error
        }
        released = try json.decode(at: "volumeInfo.released", as: .date(format: "yyyy-MM-dd"))
        pages = try json.decodeIfPresent(at: "volumeInfo.pages", as: .numberOrString)
        titles = try json.decodeAll(at: "volumeInfo.industryIdentifiers[*].type")
        let authors = try json.decodeLossy(String.self, at: "volumeInfo.authors", allowing: .fraction(0.1))
        #expect(authors.values.count == 2 && authors.drops.isEmpty)
      }
    }
    let shown = try JSONDecoder().decode(Shown.self, from: book)
    #expect(shown.publisher == "unknown" && shown.pages == 312 && shown.titles == ["ISBN_13"])
    #expect(shown.released == Date(timeIntervalSince1970: 1_580_515_200))
  }

  @Test func `the wrappers work as documented`() throws {
    struct Shown: Decodable {
      @SecondsSince1970 var created: Date
      @JoinedString var authors: String?
      @NumberInString var pages: Int
      @Default<DefaultValue.Zero> var retries: Int
      @Default<DefaultValue.EmptyArray> var tags: [String]
      @LossyArray var movies: [Int]
      @LossyDictionary var prices: [String: Double]
    }
    let text =
      #"{"created": 0, "authors": ["Ann", "Ben"], "pages": "312", "movies": [1, "x"], "prices": {"a": 1, "b": "y"}}"#
    let shown = try JSONDecoder().decode(Shown.self, from: Data(text.utf8))
    #expect(shown.authors == "Ann, Ben" && shown.pages == 312 && shown.retries == 0 && shown.tags.isEmpty)
    #expect(shown.$movies.count == 1 && shown.$prices.count == 1)
  }
}
