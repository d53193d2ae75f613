public import FetchKit
internal import Foundation

extension FetchClient {
  /// Reads a list that comes as a whole, unless it is unchanged since the last time.
  ///
  /// ```swift
  /// func pull(_ scope: String, after position: String?) async throws -> SyncPage {
  ///   try await client.list(url, .json([IssueAnswer].self), after: position, covers: [.all(Issue.self)]) {
  ///     $0.map(\.remote)
  ///   }
  /// }
  /// ```
  ///
  /// The position of the page is the version of the list: its `ETag`, and a digest of its body for servers that have
  /// none. An unchanged list is a page without objects that covers nothing. After an update of the app that reads more
  /// of a list than before, call ``SyncEngine/reconcile()`` once.
  ///
  /// - Parameters:
  ///   - request: The request for the list.
  ///   - strategy: How the answer is read.
  ///   - position: What ``SyncRemote/pull(_:after:)`` has received.
  ///   - covers: What the list has completely, see ``SyncPage/covers``.
  ///   - objects: The objects of the list.
  /// - Throws: The `FetchError` that ended the fetch, or an error of `objects`.
  public func list<Value>(
    _ request: some HTTPRequestConvertible, _ strategy: ExtractionStrategy<Value>, after position: String?,
    covers: [SyncCoverage], _ objects: (Value) throws -> [RemoteObject]
  ) async throws -> SyncPage {
    // What another version of the app has written is no version: everything is read.
    var known = position.flatMap { try? JSONDecoder().decode(ResourceVersion.self, from: Data($0.utf8)) }
    // Its seconds hide what is committed later in the same one.
    if known?.entityTag == nil { known?.lastModified = nil }
    switch try await fetch(request, strategy, ifChangedFrom: known) {
    case .changed(let value, let version):
      return SyncPage(try objects(value), position: try version.position, covers: covers)
    case .unchanged(let version): return SyncPage([], position: try version.position)
    }
  }

  /// Reads a page of a list whose pages name the next one, by a link or a cursor, or are counted.
  ///
  /// ```swift
  /// func pull(_ scope: String, after position: String?) async throws -> SyncPage {
  ///   try await client.page(
  ///     .link(), after: position, .json([IssueAnswer].self), together: [.all(Issue.self)]
  ///   ) { _ in
  ///     url
  ///   } objects: {
  ///     $0.map(\.remote)
  ///   }
  /// }
  /// ```
  ///
  /// After the last page, the next reading begins at the first one. The last page by offset or number is an empty one,
  /// or one that the server does not find.
  ///
  /// - Parameters:
  ///   - style: How the API names its pages. A link is followed only to the origin of the request.
  ///   - position: What ``SyncRemote/pull(_:after:)`` has received.
  ///   - strategy: How the answer is read.
  ///   - together: What all pages have together, see ``SyncPage/together``. Pages in the order of their keys, to which
  ///     nothing is inserted but at their end, do not shift; others do.
  ///   - request: The request for a page. A link replaces its URL.
  ///   - objects: The objects of a page.
  /// - Throws: The `FetchError` that ended the fetch, or an error of a closure. If the server does not know a cursor or
  ///   a link, as with 400, 404, 410 and 422, ``SyncError/unknownPosition``.
  public func page<Element, Request: HTTPRequestConvertible>(
    _ style: PagingStyle, after position: String?, _ strategy: ExtractionStrategy<[Element]>,
    together: [SyncCoverage] = [], _ request: (PageRequest) throws -> Request,
    objects: ([Element]) throws -> [RemoteObject]
  ) async throws -> SyncPage {
    let page = style.request(at: position)
    do {
      let (items, next) = try await fetch(
        try request(page).httpRequest().following(page.link),
        ExtractionStrategy { (try strategy.extract($0), try style.next(after: $0)) })
      let following = style.position(after: page, next, count: items.count)
      return SyncPage(try objects(items), position: following, hasMore: following != nil, together: together)
    } catch let error as FetchError where position != nil {
      if style.isPredictable, error.status == 404 { return SyncPage([], together: together) }
      if !style.isPredictable, error.isAboutPlace { throw SyncError.unknownPosition }
      throw error
    }
  }
}

extension FetchError {
  fileprivate var status: Int? { if case .status(let failure, _) = self { failure.status } else { nil } }

  /// Whether the server does not know what an earlier page has named, or the name leads elsewhere by now.
  fileprivate var isAboutPlace: Bool {
    if case .invalidRequest = self { return true }
    return [400, 404, 410, 422].contains(status)
  }
}

extension ResourceVersion {
  fileprivate var position: String { get throws { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) } }
}
