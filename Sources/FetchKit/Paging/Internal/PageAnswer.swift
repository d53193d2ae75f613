/// The response to the request for a page: the items as the server sent them and the location of the next page.
struct PageAnswer<Item: Sendable>: Sendable {
  var items: [Item]
  var next: PagePlace?
}
