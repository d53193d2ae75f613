public import Decoding
internal import Foundation

/// How an API tells its pages apart.
public struct PagingStyle: Sendable {
  enum Kind: Sendable {
    case offset(first: Int, limit: Int)
    case number(first: Int, size: Int)
    case chained(@Sendable (FetchResponse) throws -> PagePlace?)
  }

  let kind: Kind

  /// By the number of items to skip, as in `startIndex=80&maxResults=40`.
  ///
  /// The next page starts where this one was to end, whether it was full or not. Ask for no more than the server gives:
  /// one that always gives less makes every page a short one, and the first the last.
  public static func offset(from first: Int = 0, limit: Int) -> PagingStyle {
    PagingStyle(kind: .offset(first: first, limit: max(1, limit)))
  }

  /// By the number of the page, as in `page=3&per_page=100`.
  public static func number(from first: Int = 1, size: Int) -> PagingStyle {
    PagingStyle(kind: .number(first: first, size: max(1, size)))
  }

  /// By what each page says about the next: text or a number in the JSON body, at that path.
  ///
  /// Nothing there, null, `false` and empty text mean that there is no next page.
  public static func cursor(at path: JSONPath) -> PagingStyle {
    cursor { try PageCursor.read(from: $0.body, at: path) }
  }

  /// By what each page says about the next, wherever it says it; nil and empty text mean that there is none.
  public static func cursor(_ next: @escaping @Sendable (FetchResponse) throws -> String?) -> PagingStyle {
    PagingStyle(
      kind: .chained { response in
        guard let cursor = try next(response), !cursor.isEmpty else { return nil }
        return .cursor(cursor)
      })
  }

  /// By the `Link` header of each page (RFC 8288), which holds the address of the next.
  ///
  /// A link to another origin than the first request's is not followed, because the request's credentials would go
  /// there: iteration ends with ``FetchError/invalidRequest(reason:_:)``.
  public static func link(relation: String = "next") -> PagingStyle {
    PagingStyle(
      kind: .chained { response in
        LinkHeader.target(of: relation, in: response.headers, at: response.url).map { .link($0) }
      })
  }

  /// Whether the place of a page follows from its number, without what the pages before say.
  var isPredictable: Bool {
    if case .chained = kind { false } else { true }
  }

  func next(after response: FetchResponse) throws -> PagePlace? {
    guard case .chained(let next) = kind else { return nil }
    return try next(response)
  }
}

/// Where a page is, as the page before says.
enum PagePlace: Sendable, Hashable {
  case cursor(String)
  case link(URL)
}
