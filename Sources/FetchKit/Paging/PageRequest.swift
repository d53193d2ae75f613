public import Foundation

/// Which page is to be asked for, in the terms of every way of paging: use those that the API has.
public struct PageRequest: Sendable, Hashable {
  /// The place of the page in the order of delivery, from 0.
  public var index: Int
  /// The number of the page, from the one said to be the first.
  public var number: Int
  /// How many items there are before the page.
  public var offset: Int
  /// How many items to ask for; 0 where the way of paging leaves that to the request.
  public var limit: Int
  /// What the page before said about this one; nil for the first page and where there are no cursors.
  public var cursor: String?
  /// Where the page before said that this one is; nil for the first page and where there are no links. It takes the
  /// place of the request's own URL.
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
