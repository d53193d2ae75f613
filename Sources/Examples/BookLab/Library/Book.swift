import Foundation
import Persistence

/// A book that somebody wants to keep.
final class Book: ManagedObject {
  @Attribute(.unique) var volumeID = ""
  /// Nil where the book has none: many are told apart by their volume alone.
  @Attribute(.unique) var isbn13: String?
  @Attribute var title = ""
  /// The title as it is sorted: without case and accents.
  @Attribute(.indexed) var sortKey = ""
  @Attribute var authors: String?
  @Attribute var publisher: String?
  @Attribute var publicationDate: String?
  @Attribute var about: String?
  /// Path and query of the cover: which server has it is another matter.
  @Attribute var coverPath: String?

  /// Takes over what the books API says.
  ///
  /// - Returns: Whether anything is different now.
  func update(from data: BookData) -> Bool {
    let before = [isbn13, title, authors, publisher, publicationDate, about, coverPath]
    isbn13 = data.isbn13 ?? isbn13
    title = data.title
    sortKey = data.title.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    authors = data.authors
    publisher = data.publisher
    publicationDate = data.publicationDate
    about = data.description
    coverPath = data.coverPath
    return before != [isbn13, title, authors, publisher, publicationDate, about, coverPath]
  }
}
