internal import Foundation

extension PagingStyle {
  /// How many items a page has, or 0 if the style does not say so.
  var limit: Int {
    switch kind {
    case .offset(_, let limit): limit
    case .number(_, let size): size
    case .chained: 0
    }
  }

  func request(at index: Int, _ location: PageLocation?) -> PageRequest {
    var request = PageRequest(index: index, number: index, limit: limit)
    switch kind {
    case .offset(let first, let limit):
      request.offset = first &+ index &* limit
      request.number = index
    case .number(let first, let size):
      request.offset = index &* size
      request.number = first &+ index
    case .chained:
      if case .cursor(let cursor) = location { request.cursor = cursor }
      if case .link(let link) = location { request.link = link }
    }
    return request
  }
}

/// Pages by texts, for those who keep where they are.
extension PagingStyle {
  /// The page that a text names, or the first one.
  package func request(at position: String?) -> PageRequest {
    let parts = position?.split(separator: " ", maxSplits: 2).map(String.init) ?? []
    guard parts.count > 1, let index = Int(parts[1]) else { return request(at: 0, nil) }
    let location: PageLocation? =
      switch (parts[0], parts.dropFirst(2).first) {
      case ("cursor", let cursor?): .cursor(cursor)
      case ("link", let link?): URL(string: link).map { .link($0) }
      default: nil
      }
    return request(at: index, location)
  }

  /// The text of the page after one. Nil if that was the last one, as an empty one is, and one that names itself.
  package func position(after page: PageRequest, _ next: PageLocation?, count: Int) -> String? {
    let index = page.index + 1
    return switch next {
    case .cursor(page.cursor): nil
    case .link(let link) where link == page.link: nil
    case .cursor(let cursor): "cursor \(index) \(cursor)"
    case .link(let link): "link \(index) \(link.absoluteString)"
    case nil: isPredictable && count > 0 ? "page \(index)" : nil
    }
  }
}
