extension PagedSequence: AsyncSequence {
  /// The error type of the iteration.
  public typealias Failure = FetchError

  /// Iterates over the items.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let reader: PageReader<Item>
    private var items: ArraySlice<Item> = []

    init(_ reader: PageReader<Item>) {
      self.reader = reader
    }

    /// The reason why there are no more items, or nil as long as there may be more items.
    public var end: PagingEnd? { items.isEmpty ? reader.end : nil }

    /// Returns the next item, or nil after the last item.
    ///
    /// - Throws: The error that prevented the page with the next item from being fetched. The next call requests that
    ///   page again.
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(FetchError) -> Item? {
      while items.isEmpty {
        guard let page = try await reader.next(isolation: actor) else { return nil }
        items = page.items[...]
      }
      return items.removeFirst()
    }
  }

  /// Creates an iterator that starts from the first page.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(PageReader(self))
  }
}
