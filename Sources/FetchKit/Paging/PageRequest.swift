public import Foundation

/// The page to request. Use the properties that match the API's paging style, for example ``offset`` and ``limit``.
public struct PageRequest: Sendable, Hashable {
  /// The index of the page in the sequence of pages, counting from 0.
  public var index: Int
  /// The page number, counting from the first page number that the paging style specifies.
  public var number: Int
  /// The offset of the page's first item, counting from the first offset that the paging style specifies.
  public var offset: Int
  /// The number of items to request, or 0 if the paging style does not specify a limit.
  public var limit: Int
  /// The cursor that the previous page specified. The cursor is nil for the first page and for paging styles that do
  /// not use cursors.
  public var cursor: String?
  /// The URL of this page, as specified by the previous page. The page is requested from this URL instead of the
  /// request's own URL. The link is nil for the first page and for paging styles that do not use links.
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
