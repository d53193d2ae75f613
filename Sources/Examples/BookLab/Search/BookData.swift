import Decoding
import ExampleSupport
import Foundation

/// A book as returned by the books API and as printed: a copy that can be passed anywhere.
struct BookData: Codable, Equatable, Sendable {
  let id: String
  let title: String
  @Nullable var authors: String?
  @Nullable var publisher: String?
  /// `1990`, `1996-06` or `2016-11-17`.
  @Nullable var publicationDate: String?
  @Nullable var isbn13: String?
  @Nullable var imageURL: String?
  @Nullable var description: String?

  /// The value that identifies a book: the ISBN if there is one, otherwise the volume id.
  var identity: String { isbn13 ?? id }

  init(from decoder: any Decoder) throws {
    let json = try decoder.nested()
    id = try json.decode(at: "id", as: .words)
    title = try json.decode(at: "volumeInfo.title", as: .words)
    authors = try Self.authors(of: json)
    publisher = try json.words(at: "volumeInfo.publisher")
    publicationDate = try json.words(at: "volumeInfo.publishedDate")
    let isbn = try json.words(at: "volumeInfo.industryIdentifiers[?@.type=='ISBN_13'].identifier")
    isbn13 = isbn.flatMap { $0.wholeMatch(of: /[0-9]{13}/) == nil ? nil : $0 }
    let image = try json.words(at: "volumeInfo.imageLinks.smallThumbnail")
    imageURL = image.flatMap { ["http", "https"].contains(URL(string: $0)?.scheme) ? $0 : nil }
    description = try json.words(at: "volumeInfo.description")
  }

  /// The nonempty names. A single name can be a string instead of an array.
  private static func authors(of json: NestedDecoder) throws -> String? {
    var names = json.field([String?].self, at: "volumeInfo.authors")
    if case .invalid(let error) = names {
      guard let name = json.field(String.self, at: "volumeInfo.authors").value else { throw error }
      names = .value([name])
    }
    let trimmed = try names.get()?.compactMap { $0?.trimmingCharacters(in: .whitespacesAndNewlines) } ?? []
    let said = trimmed.filter { !$0.isBlank }
    return said.isEmpty ? nil : said.joined(separator: ", ")
  }

  init(_ book: Book, _ access: ServiceAccess) {
    id = book.volumeID
    title = book.title
    authors = book.authors
    publisher = book.publisher
    publicationDate = book.publicationDate
    isbn13 = book.isbn13
    imageURL = book.coverPath.flatMap { access.coverURL($0)?.absoluteString }
    description = book.about
  }

  /// The path and query of the cover's URL.
  var coverPath: String? {
    guard let link = imageURL.flatMap({ URLComponents(string: $0) }), !link.percentEncodedPath.isEmpty else {
      return nil
    }
    return link.percentEncodedPath + (link.percentEncodedQuery.map { "?\($0)" } ?? "")
  }
}
