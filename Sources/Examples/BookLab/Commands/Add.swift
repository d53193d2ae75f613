import ExampleSupport

extension BookLab {
  static let add = Command(
    "add", "ID", "Adds the volume with this id; run search to see ids",
    json: #"{"id","title","authors","publisher","publicationDate","isbn13","imageURL","description"}"#,
    asksServer: true
  ) { call in
    let desk = try await Desk(call, mustExist: false)
    let book = try await BookSearch(access: desk.access).book(call.text)
    try await desk.change { try await $0.add([book]) }
    try call.console.result(try await desk.library.book(book.identity))
  }
}
