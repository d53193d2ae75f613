import ExampleSupport
import Foundation

extension BookLab {
  static let list = Command(
    "list", "", "Lists your books by title",
    json: #"[{"id","title","authors","publisher","publicationDate","isbn13","imageURL","description"}]"#
  ) { call in
    let books = try await Desk(call, mustExist: true).library.books()
    if books.isEmpty { call.console.say("No books yet. To add one, run: BookLab search whales --add 1") }
    call.console.say(TextTable(books))
    try call.console.result(books)
  }

  static let show = Command(
    "show", "ID", "Shows one book by its id or ISBN",
    json: #"{"id","title","authors","publisher","publicationDate","isbn13","imageURL","description"}"#
  ) { call in
    let book = try await Desk(call, mustExist: true).library.book(call.text)
    let console = call.console
    console.say(book.title, bold: true)
    let facts = [
      ("by", book.authors), ("published", book.publicationDate), ("publisher", book.publisher), ("ISBN", book.isbn13),
      ("id", book.id), ("cover", book.imageURL),
    ]
    console.say(TextTable([], facts.compactMap { name, value in value.map { [name, $0] } }))
    if let text = book.description { console.say(wrapping: text) }
    try console.result(book)
  }

  static let remove = Command(
    "remove", "ID", "Removes a book by its id or ISBN",
    json: #"{"id","title","authors","publisher","publicationDate","isbn13","imageURL","description"}"#
  ) { call in
    let removed = try await Desk(call, mustExist: true).change { try await $0.remove(call.text) }
    try call.console.result(removed)
  }

  static let export = Command(
    "export", "", "Exports all books to a JSON file",
    options: [CommandOption("out FILE", "the output file; an existing file is replaced", required: true)],
    json: #"{"exported":n}; the file contains what list prints"#
  ) { call in
    guard let file = try call.text("out") else { return }
    let books = try await Desk(call, mustExist: true).library.books()
    try Files.write(try Console.encoder.encode(books), to: file)
    call.console.say("Exported \(books.count.counted("book")) to \(file)")
    try call.console.result(["exported": books.count])
  }
}
