extension PagedSequence {
  /// The pages of this sequence.
  public var pages: Pages { Pages(sequence: self) }

  /// An asynchronous sequence of the pages of a ``PagedSequence``. Use it for lists that load page by page.
  public struct Pages: AsyncSequence, Sendable {
    /// The error type of the iteration.
    public typealias Failure = FetchError

    let sequence: PagedSequence

    /// An iterator over the pages of a paged sequence.
    ///
    /// A call to `next` does not mutate the iterator, so you can store the iterator in a constant, for example in a
    /// view model. Concurrent calls never return the same page.
    public struct AsyncIterator: AsyncIteratorProtocol {
      private let reader: PageReader<Item>

      init(_ reader: PageReader<Item>) {
        self.reader = reader
      }

      /// The reason why the iteration ended, or nil if there may be more pages.
      public var end: PagingEnd? { reader.end }
      /// The number of requests made so far.
      public var requests: Int { reader.requests }

      /// Returns the next page that has new items, or nil after the last page.
      ///
      /// - Throws: The error that occurred while the page was being fetched. If you call this method again, it requests
      ///   that page again.
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
