/// What came of the request for a page: its items as the server sent them, and where it says the next page is.
struct PageAnswer<Item: Sendable>: Sendable {
  var items: [Item]
  var next: PagePlace?
}
