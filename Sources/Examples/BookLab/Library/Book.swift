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

  /// Takes over what the books API says; what it does not say stays as it is known.
  ///
  /// - Returns: Whether anything is different now.
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
