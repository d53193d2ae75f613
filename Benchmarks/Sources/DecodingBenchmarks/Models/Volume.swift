import Decoding
import Foundation

/// A page of books, decoded by paths.
struct NestedShelf: Decodable {
  var items: [NestedBook]
}

/// A page of books, decoded by containers that are opened by hand.
struct HandWrittenShelf: Decodable {
  var items: [HandWrittenBook]
}

struct NestedBook: Decodable {
  var fields: BookFields

  init(from decoder: any Decoder) throws {
    let json = try decoder.nested()
    fields = BookFields(
      title: try json.decode(at: "volumeInfo.title"),
      publisher: try json.decodeIfPresent(at: "volumeInfo.publisher"),
      authors: try json.decodeIfPresent([String].self, at: "volumeInfo.authors")?.joined(separator: ", "),
      isbn: try json.decodeIfPresent(at: "volumeInfo.industryIdentifiers[?@.type=='ISBN_13'].identifier"),
      image: try json.decodeIfPresent(at: "volumeInfo.imageLinks.smallThumbnail"))
  }
}

struct HandWrittenBook: Decodable {
  var fields: BookFields

  private enum Keys: CodingKey { case volumeInfo }
  private enum InfoKeys: CodingKey { case title, publisher, authors, industryIdentifiers, imageLinks }
  private enum IdentifierKeys: CodingKey { case type, identifier }
  private enum ImageKeys: CodingKey { case smallThumbnail }

  init(from decoder: any Decoder) throws {
    let info = try decoder.container(keyedBy: Keys.self).nestedContainer(keyedBy: InfoKeys.self, forKey: .volumeInfo)
    fields = BookFields(
      title: try info.decode(String.self, forKey: .title),
      publisher: try info.decodeIfPresent(String.self, forKey: .publisher),
      authors: try info.decodeIfPresent([String].self, forKey: .authors)?.joined(separator: ", "),
      isbn: nil, image: nil)
    if info.contains(.industryIdentifiers) {
      var identifiers = try info.nestedUnkeyedContainer(forKey: .industryIdentifiers)
      while !identifiers.isAtEnd {
        let identifier = try identifiers.nestedContainer(keyedBy: IdentifierKeys.self)
        guard try identifier.decode(String.self, forKey: .type) == "ISBN_13" else { continue }
        fields.isbn = try identifier.decode(String.self, forKey: .identifier)
        break
      }
    }
    if info.contains(.imageLinks) {
      fields.image = try info.nestedContainer(keyedBy: ImageKeys.self, forKey: .imageLinks)
        .decodeIfPresent(String.self, forKey: .smallThumbnail)
    }
  }
}

struct BookFields: Equatable {
  var title: String
  var publisher: String?
  var authors: String?
  var isbn: String?
  var image: String?
}

/// A page of books for documents of its own, where there is no recorded one.
enum Volume {
  static var page: Data {
    let items = (0..<5).map(generated).joined(separator: ",\n")
    return Data("{\"kind\": \"books#volumes\", \"totalItems\": 5, \"items\": [\(items)]}".utf8)
  }

  private static func generated(_ index: Int) -> String {
    """
      {
       "kind": "books#volume", "id": "K_BuQw1SV_8C\(index)", "etag": "IABejJHyKao",
       "selfLink": "https://www.googleapis.com/books/v1/volumes/K_BuQw1SV_8C",
       "volumeInfo": {
        "title": "The Complete Essays, volume \(index)",
        "authors": ["Michel Montaigne"],
        "publisher": "ePenguin",
        "publishedDate": "2004-03-25",
        "description": "\(String(repeating: "Words about a book and its author. ", count: 20))",
        "industryIdentifiers": [
         {"type": "ISBN_10", "identifier": "0140446044"},
         {"type": "ISBN_13", "identifier": "978014044604\(index)"}
        ],
        "readingModes": {"text": false, "image": false},
        "pageCount": 1360, "printType": "BOOK", "categories": ["Literary Collections"], "averageRating": 4.0,
        "imageLinks": {
         "smallThumbnail": "http://books.google.co.uk/books/content?id=K_BuQw1SV_8C&printsec=frontcover&img=1&zoom=5",
         "thumbnail": "http://books.google.co.uk/books/content?id=K_BuQw1SV_8C&printsec=frontcover&img=1&zoom=1"
        },
        "language": "en"
       },
       "saleInfo": {"country": "GB", "saleability": "NOT_FOR_SALE", "isEbook": false},
       "accessInfo": {"country": "GB", "viewability": "NO_PAGES", "embeddable": false, "publicDomain": false}
      }
    """
  }
}
