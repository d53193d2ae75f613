public import Decoding
package import Foundation

/// How an API identifies its pages.
public struct PagingStyle: Sendable {
  enum Kind: Sendable {
    case offset(first: Int, limit: Int)
    case number(first: Int, size: Int)
    case chained(@Sendable (FetchResponse) throws -> PageLocation?)
  }

  let kind: Kind

  /// Pages identified by the number of items to skip, as in `startIndex=80&maxResults=40`.
  ///
  /// The offset grows by `limit` from page to page, even if a page is not full. Do not set `limit` above the server's
  /// maximum page size. If `limit` is larger, the first page has fewer items than requested, which ends the sequence
  /// unless ``PagedSequence/stopsAtShortPage`` is false.
  public static func offset(from first: Int = 0, limit: Int) -> PagingStyle {
    PagingStyle(kind: .offset(first: first, limit: max(1, limit)))
  }

  /// Pages identified by a page number, as in `page=3&per_page=100`.
  public static func number(from first: Int = 1, size: Int) -> PagingStyle {
    PagingStyle(kind: .number(first: first, size: max(1, size)))
  }

  /// Pages identified by a cursor, which is a string or a number at a path in the JSON body of the previous page.
  ///
  /// If the value is missing, null, `false` or an empty string, there is no next page.
  public static func cursor(at path: JSONPath) -> PagingStyle {
    cursor { try PageCursor.read(from: $0.body, at: path) }
  }

  /// Pages identified by a cursor that the closure reads from the previous page. If the closure returns nil or an empty
  /// string, there is no next page.
  public static func cursor(_ next: @escaping @Sendable (FetchResponse) throws -> String?) -> PagingStyle {
    PagingStyle(
      kind: .chained { response in
        guard let cursor = try next(response), !cursor.isEmpty else { return nil }
        return .cursor(cursor)
      })
  }

  /// Pages identified by a URL, which is specified in the `Link` header field of the previous page (RFC 8288).
  ///
  /// A link is followed only if it has the same origin as the request, because following a link to another origin would
  /// send the request's credentials there. If a link has a different origin, the iterator throws
  /// ``FetchError/invalidRequest(reason:_:)``.
  public static func link(relation: String = "next") -> PagingStyle {
    PagingStyle(
      kind: .chained { response in
        LinkHeader.target(of: relation, in: response.headers, at: response.url).map { .link($0) }
      })
  }

  /// Whether the location of a page follows from its number alone, without the previous pages.
  package var isPredictable: Bool {
    if case .chained = kind { false } else { true }
  }

  package func next(after response: FetchResponse) throws -> PageLocation? {
    guard case .chained(let next) = kind else { return nil }
    return try next(response)
  }
}

/// The location of a page, as named by the previous page.
package enum PageLocation: Sendable, Hashable {
  case cursor(String)
  case link(URL)
}
