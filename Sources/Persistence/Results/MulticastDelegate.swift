/// A group of delegates that takes the place of a single delegate. The delegates are held weakly and called in the
/// order in which they were added.
///
/// ```swift
/// protocol DatabaseListener: AnyObject, Sendable {
///   func moviesDidChange(_ titles: [String])
/// }
///
/// @MainActor final class MovieDatabase {
///   private let listeners = MulticastDelegate<any DatabaseListener> { $0 }
///   private(set) var titles: [String] = [] {
///     didSet { listeners.invoke { $0.moviesDidChange(titles) } }
///   }
///
///   // A new listener receives the current list immediately.
///   func add(_ listener: any DatabaseListener) {
///     listeners.add(listener)
///     listener.moviesDidChange(titles)
///   }
/// }
/// ```
///
/// Only objects can be held weakly. The initializer therefore requires the closure `{ $0 }`, which compiles only if the
/// type of the listeners is a class or a protocol that inherits from `AnyObject`.
///
/// A multicast delegate can be used from any thread, even while it is calling its listeners. A listener that is removed
/// during an invocation is not called if its turn has not come yet. A listener that is added during an invocation is
/// called for the first time in the next invocation. Deallocated listeners are never called, and are removed
/// automatically. No lock is held while a listener is called, so a listener can add and remove listeners.
public final class MulticastDelegate<Listener> {
  private let slots = Lock<[Slot]>([])
  private let object: @Sendable (Listener) -> AnyObject

  /// Creates a multicast delegate without listeners.
  ///
  /// - Parameter object: The closure `{ $0 }`, which converts a listener to an object.
  public init(_ object: @escaping @Sendable (Listener) -> AnyObject) { self.object = object }

  /// Adds a listener, which is called after the existing listeners. A listener that was already added keeps its
  /// position.
  public func add(_ listener: Listener) {
    let added = object(listener)
    // Release the references only outside the lock: one of them may be the last, and the listener's deinit may call
    // back.
    let seen = slots.withLock { slots in
      let living = slots.map { ($0, $0.object) }
      var kept = living.filter { $0.1 != nil }.map(\.0)
      if !living.contains(where: { $0.1 === added }) { kept.append(Slot(added)) }
      slots = kept
      return living
    }
    withExtendedLifetime(seen) {}
  }

  /// Removes a listener if it was added. If the listener is being called on another thread, this method returns without
  /// waiting for that call to end.
  public func remove(_ listener: Listener) {
    let removed = object(listener)
    let seen = slots.withLock { slots in
      let living = slots.map { ($0, $0.object) }
      for (slot, object) in living where object === removed { slot.isRemoved = true }
      slots = living.filter { $0.1 != nil && !$0.0.isRemoved }.map(\.0)
      return living
    }
    withExtendedLifetime(seen) {}
  }

  /// Calls the closure for each listener, on the caller's thread.
  public func invoke(_ body: (Listener) throws -> Void) rethrows {
    for slot in slots.withLock({ $0 }) {
      let object = slots.withLock { _ in slot.isRemoved ? nil : slot.object }
      // Every added object is a `Listener`.
      if let listener = object as? Listener { try body(listener) }
    }
    prune()
  }

  /// The number of listeners that have not been deallocated.
  public var count: Int {
    let living = slots.withLock { $0.map(\.object) }
    return living.count { $0 != nil }
  }

  /// Whether there are no listeners, apart from any that have been deallocated.
  public var isEmpty: Bool { count == 0 }

  private func prune() {
    let seen = slots.withLock { slots in
      let living = slots.map { ($0, $0.object) }
      if living.contains(where: { $0.1 == nil }) { slots = living.filter { $0.1 != nil }.map(\.0) }
      return living
    }
    withExtendedLifetime(seen) {}
  }

  /// Accessed only inside the lock.
  private final class Slot {
    weak var object: AnyObject?
    var isRemoved = false

    init(_ object: AnyObject) { self.object = object }
  }
}

// @unchecked: `slots` and its contents are accessed only inside the lock. Listeners are passed between threads, and
// must therefore be `Sendable`.
extension MulticastDelegate: @unchecked Sendable where Listener: Sendable {}
