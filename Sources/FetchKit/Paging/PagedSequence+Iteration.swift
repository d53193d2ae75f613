extension PagedSequence: AsyncSequence {
  /// Fails with what a page failed with.
  public typealias Failure = FetchError

  /// Gives the items one by one.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let reader: PageReader<Item>
    private var items: ArraySlice<Item> = []

    init(_ reader: PageReader<Item>) {
      self.reader = reader
    }

    /// Why there are no more items; nil as long as there may be.
    public var end: PagingEnd? { items.isEmpty ? reader.end : nil }

    /// The next item; nil after the last.
    ///
    /// - Throws: what the page with the next item failed with. Asked again, it tries again.
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(FetchError) -> Item? {
      while items.isEmpty {
        guard let page = try await reader.next(isolation: actor) else { return nil }
        items = page.items[...]
      }
      return items.removeFirst()
    }
  }

  /// An iterator that starts from the first page.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(PageReader(self))
  }
}
