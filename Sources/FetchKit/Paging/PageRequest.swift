public import Foundation

/// The page to request, described in terms of each paging style. Use the properties that match the API.
public struct PageRequest: Sendable, Hashable {
  /// The position of the page in the order of delivery, counting from 0.
  public var index: Int
  /// The number of the page, counting from the paging style's first number.
  public var number: Int
  /// The number of items before the page.
  public var offset: Int
  /// The number of items to request, or 0 if the paging style does not specify a limit.
  public var limit: Int
  /// The cursor that the previous page returned. Nil for the first page and for styles that do not use cursors.
  public var cursor: String?
  /// The URL that the previous page returned for this page. It replaces the request's URL. Nil for the first page and
  /// for styles that do not use links.
  public var link: URL?

  init(index: Int, number: Int = 0, offset: Int = 0, limit: Int = 0, cursor: String? = nil, link: URL? = nil) {
    self.index = index
    self.number = number
    self.offset = offset
    self.limit = limit
    self.cursor = cursor
    self.link = link
  }
}
