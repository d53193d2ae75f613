extension PagedSequence {
  /// The pages of this sequence.
  public var pages: Pages { Pages(sequence: self) }

  /// The pages of a ``PagedSequence``, for lists that load page by page.
  public struct Pages: AsyncSequence, Sendable {
    /// The error type of the iteration.
    public typealias Failure = FetchError

    let sequence: PagedSequence

    /// Iterates over the pages.
    ///
    /// A call to `next` does not mutate the iterator, so a screen's model can store the iterator in a constant.
    /// Concurrent calls each receive a different page.
    public struct AsyncIterator: AsyncIteratorProtocol {
      private let reader: PageReader<Item>

      init(_ reader: PageReader<Item>) {
        self.reader = reader
      }

      /// The reason why there are no more pages, or nil as long as there may be more pages.
      public var end: PagingEnd? { reader.end }
      /// The number of requests made so far.
      public var requests: Int { reader.requests }

      /// Returns the next page, which is never empty, or nil after the last page.
      ///
      /// - Throws: The error that prevented the page from being fetched. The next call requests the page again.
      public func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async throws(FetchError) -> Page<Item>? {
        try await reader.next(isolation: actor)
      }
    }

    /// Creates an iterator that starts from the first page.
    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(PageReader(sequence))
    }
  }
}
