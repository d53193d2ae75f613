extension PagedSequence {
  /// The pages instead of the items.
  public var pages: Pages { Pages(sequence: self) }

  /// The pages of a ``PagedSequence``, for lists that grow by pages.
  public struct Pages: AsyncSequence, Sendable {
    /// Fails with what a page failed with.
    public typealias Failure = FetchError

    let sequence: PagedSequence

    /// Gives the pages one by one.
    ///
    /// Asking does not change the iterator, so it can stay in a constant of a screen's model. Asked twice at the same
    /// time, it gives each one a page.
    public struct AsyncIterator: AsyncIteratorProtocol {
      private let reader: PageReader<Item>

      init(_ reader: PageReader<Item>) {
        self.reader = reader
      }

      /// Why there are no more pages; nil as long as there may be.
      public var end: PagingEnd? { reader.end }
      /// How many requests have been made.
      public var requests: Int { reader.requests }

      /// The next page, never an empty one; nil after the last.
      ///
      /// - Throws: what the page failed with. Asked again, it tries again.
      public func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async throws(FetchError) -> Page<Item>? {
        try await reader.next(isolation: actor)
      }
    }

    /// An iterator that starts from the first page.
    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(PageReader(sequence))
    }
  }
}
