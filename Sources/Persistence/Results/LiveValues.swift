/// An asynchronous sequence of the values that a closure reads from the store: first the current value, and then a new
/// value after each commit that may have changed the value.
///
/// ```swift
/// let perYear = container.liveValues { objects in
///   try objects.groups(in: FetchDescriptor(Movie.self), by: { $0.year }, of: { $0.count })
/// }
/// for try await groups in perYear {
///   for (year, number) in groups { print(year, number) }
/// }
/// ```
///
/// The closure can use any operation that reads the store: it can fetch objects and return their values, count or group
/// objects, search, or run SQL. The sequence records the classes, attributes and relationships that the closure reads.
/// The closure runs again after a commit that inserts or deletes objects of a recorded class, or changes a recorded
/// attribute or relationship. To observe a list of objects, use ``LiveResults``, which is faster and reports the
/// differences between updates.
///
/// Each loop over the sequence runs the closure separately, in its own context and on its own connection. Each run of
/// the closure is a single read transaction, so all data in a value comes from the same commit. The first value
/// reflects the current state of the store. The closure runs only when the loop requests the next value, so a slow loop
/// can miss intermediate values, but never misses the latest value. If the values are `Equatable`, a value that equals
/// the previous one is skipped.
///
/// Each run of the closure reads its objects again, and any changes that the closure makes to the objects are
/// discarded. If ``StoreConfiguration/pollInterval`` is set, the sequence also responds to commits by other processes.
/// No value is read while the container is suspended.
///
/// The sequence ends when the container is closed or the iterating task is cancelled. If the closure fails, the
/// sequence throws an error and ends. The error is ``PersistenceError/body(_:)`` if the closure throws an error of its
/// own, or a different ``PersistenceError`` if the store cannot be read.
public struct LiveValues<Value: Sendable>: AsyncSequence, Sendable {
  /// The value that the closure returns.
  public typealias Element = Value
  /// The error that ends the sequence if the closure fails.
  public typealias Failure = PersistenceError

  private let store: Store
  private let isSame: @Sendable (Value, Value) -> Bool
  private let read: @Sendable (ObjectSpace) throws -> Value

  fileprivate init(
    _ store: Store, isSame: @escaping @Sendable (Value, Value) -> Bool,
    _ read: @escaping @Sendable (ObjectSpace) throws -> Value
  ) {
    self.store = store
    self.isSame = isSame
    self.read = read
  }

  /// An iterator that returns one value after another.
  public struct Iterator: AsyncIteratorProtocol {
    private let isSame: @Sendable (Value, Value) -> Bool
    private var last: Value?
    /// Nil at the end.
    private var reader: ValueReader<Value>?
    private var signals: AsyncStream<Void>.Iterator

    fileprivate init(_ reader: ValueReader<Value>, isSame: @escaping @Sendable (Value, Value) -> Bool) {
      self.reader = reader
      self.isSame = isSame
      signals = reader.signals.makeAsyncIterator()
    }

    /// Waits for the next value and returns it, or returns nil at the end of the sequence.
    public mutating func next() async throws(PersistenceError) -> Value? { try await next(isolation: nil) }

    /// Waits for the next value and returns it, or returns nil at the end of the sequence.
    public mutating func next(isolation: isolated (any Actor)?) async throws(PersistenceError) -> Value? {
      guard let reader else { return nil }
      do throws(PersistenceError) {
        while !Task.isCancelled {
          if let value = try await reader.take() {
            if let last, isSame(last, value) { continue }
            last = value
            await reader.store.settleMain()
            return value
          }
          guard await signals.next(isolation: isolation) != nil else { break }
        }
        self.reader = nil
        return nil
      } catch {
        self.reader = nil
        if Task.isCancelled { return nil }
        if case .closed = error { return nil }
        throw error
      }
    }
  }

  /// Creates an iterator that starts with the current value.
  public func makeAsyncIterator() -> Iterator { Iterator(ValueReader(store, read), isSame: isSame) }
}

extension PersistentContainer {
  /// Returns an asynchronous sequence of the values that a closure reads from the store: first the current value, and
  /// then a new value after each commit that may have changed the value.
  public func liveValues<Value: Sendable>(
    _ read: @escaping @Sendable (ObjectSpace) throws -> Value
  ) -> LiveValues<Value> {
    LiveValues(store, isSame: { _, _ in false }, read)
  }

  /// Returns an asynchronous sequence of the values that a closure reads from the store: first the current value, and
  /// then a new value after each commit that has changed the value.
  public func liveValues<Value: Sendable & Equatable>(
    _ read: @escaping @Sendable (ObjectSpace) throws -> Value
  ) -> LiveValues<Value> {
    LiveValues(store, isSame: ==, read)
  }
}
