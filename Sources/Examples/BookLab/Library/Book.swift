import Foundation
import Persistence

/// A book in the library.
final class Book: ManagedObject {
  @Attribute(.unique) var volumeID = ""
  /// The ISBN, or nil if the book has none. Many books are identified only by their volume.
  @Attribute(.unique) var isbn13: String?
  @Attribute var title = ""
  /// The sort key: the title without case and accents.
  @Attribute(.indexed) var sortKey = ""
  @Attribute var authors: String?
  @Attribute var publisher: String?
  @Attribute var publicationDate: String?
  @Attribute var about: String?
  /// The path and query of the cover's URL. The server that provides it can change.
  @Attribute var coverPath: String?

  /// Copies the values of the books API. A value that is missing there is left unchanged.
  ///
  /// - Returns: Whether anything has changed.
  func update(from data: BookData) -> Bool {
    let before = [isbn13, title, authors, publisher, publicationDate, about, coverPath]
    isbn13 = data.isbn13 ?? isbn13
    title = data.title
    sortKey = data.title.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    authors = data.authors ?? authors
    publisher = data.publisher ?? publisher
    publicationDate = data.publicationDate ?? publicationDate
    about = data.description ?? about
    coverPath = data.coverPath ?? coverPath
    return before != [isbn13, title, authors, publisher, publicationDate, about, coverPath]
  }
}
