/// The value of a closure that reads the store, and its value after every commit that may have changed it.
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
/// The closure can do everything that reads: fetch objects and return values of theirs, count, group, search, or run
/// SQL. What it has read is noted by class and attribute. It runs again after a commit that has inserted or deleted
/// objects of one of these classes, or has changed one of these attributes or relationships. For lists of objects,
/// ``LiveResults`` are faster and report differences.
///
/// Each loop runs the closure for itself, in a context and with a connection of its own, in one read transaction, so
/// that all of a value comes from the same commit. The first value is the current state. The closure runs only when the
/// loop asks for the next value: a slow loop misses values, but never the last one. If the values are `Equatable`, a
/// value that is equal to the one before is left out.
///
/// Objects in the closure are read again each time, and its changes to them are discarded. With
/// ``StoreConfiguration/pollInterval``, commits of other processes are followed, too. While the container is suspended
/// no value is read.
///
/// The sequence ends when the container is closed or the iterating task is cancelled. It throws the error of a closure
/// that fails, and ends: ``PersistenceError/body(_:)`` with an error of the closure's own, or a different
/// ``PersistenceError`` if the store could not be read.
public struct LiveValues<Value: Sendable>: AsyncSequence, Sendable {
  /// The value that the closure returns.
  public typealias Element = Value
  /// The error of a closure that fails.
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

    /// Returns the next value, or nil at the end.
    public mutating func next() async throws(PersistenceError) -> Value? { try await next(isolation: nil) }

    /// Returns the next value, or nil at the end.
    public mutating func next(isolation: isolated (any Actor)?) async throws(PersistenceError) -> Value? {
      guard let reader else { return nil }
      do throws(PersistenceError) {
        while !Task.isCancelled {
          if let value = try await reader.take() {
            if let last, isSame(last, value) { continue }
            last = value
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

  /// Creates an iterator that starts with the current state.
  public func makeAsyncIterator() -> Iterator { Iterator(ValueReader(store, read), isSame: isSame) }
}

extension PersistentContainer {
  /// The value that a closure reads from the store, and its value after every commit that may have changed it.
  public func liveValues<Value: Sendable>(
    _ read: @escaping @Sendable (ObjectSpace) throws -> Value
  ) -> LiveValues<Value> {
    LiveValues(store, isSame: { _, _ in false }, read)
  }

  /// The value that a closure reads from the store, and every different value that it has after a commit.
  public func liveValues<Value: Sendable & Equatable>(
    _ read: @escaping @Sendable (ObjectSpace) throws -> Value
  ) -> LiveValues<Value> {
    LiveValues(store, isSame: ==, read)
  }
}
