extension PagedSequence: AsyncSequence {
  /// The error type of the iteration.
  public typealias Failure = FetchError

  /// An iterator over the items of a paged sequence.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let reader: PageReader<Item>
    private var items: ArraySlice<Item> = []

    init(_ reader: PageReader<Item>) {
      self.reader = reader
    }

    /// The reason why the iteration ended, or nil if there may be more items.
    public var end: PagingEnd? { items.isEmpty ? reader.end : nil }

    /// Returns the next item, or nil after the last item.
    ///
    /// - Throws: The error that occurred while the page with the next item was being fetched. If you call this method
    ///   again, it requests that page again.
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
