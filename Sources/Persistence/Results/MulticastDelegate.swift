/// Several delegates in the place of one: held weakly, called in the order in which they were added.
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
///   // A new listener is told the present list at once.
///   func add(_ listener: any DatabaseListener) {
///     listeners.add(listener)
///     listener.moviesDidChange(titles)
///   }
/// }
/// ```
///
/// Only objects can be held weakly. The closure `{ $0 }` proves that listeners are objects: it compiles for a class,
/// and for a protocol that inherits from `AnyObject`, and for nothing else.
///
/// It may be used from any thread, and while it is calling: a listener that is removed meanwhile and whose turn has not
/// come is not called any more, and one that is added meanwhile is called from the next invocation on. One that has
/// died is never called, and forgotten. No lock is held while a listener is called.
public final class MulticastDelegate<Listener> {
  private let slots = Lock<[Slot]>([])
  private let object: @Sendable (Listener) -> AnyObject

  /// - Parameter object: `{ $0 }`.
  public init(_ object: @escaping @Sendable (Listener) -> AnyObject) { self.object = object }

  /// Adds a listener at the end. One that is there already keeps its place.
  public func add(_ listener: Listener) {
    let added = object(listener)
    // References go only after the lock: the last one of a listener may be among them, and its deinit may call here.
    let seen = slots.withLock { slots in
      let living = slots.map { ($0, $0.object) }
      var kept = living.filter { $0.1 != nil }.map(\.0)
      if !living.contains(where: { $0.1 === added }) { kept.append(Slot(added)) }
      slots = kept
      return living
    }
    withExtendedLifetime(seen) {}
  }

  /// Removes a listener, if it is there. A call to it that is under way on another thread is not waited for.
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
      // What was added is a `Listener`.
      if let listener = object as? Listener { try body(listener) }
    }
    prune()
  }

  /// How many listeners are alive.
  public var count: Int {
    let living = slots.withLock { $0.map(\.object) }
    return living.count { $0 != nil }
  }

  /// Whether nobody listens.
  public var isEmpty: Bool { count == 0 }

  private func prune() {
    let seen = slots.withLock { slots in
      let living = slots.map { ($0, $0.object) }
      if living.contains(where: { $0.1 == nil }) { slots = living.filter { $0.1 != nil }.map(\.0) }
      return living
    }
    withExtendedLifetime(seen) {}
  }

  /// Used behind the lock.
  private final class Slot {
    weak var object: AnyObject?
    var isRemoved = false

    init(_ object: AnyObject) { self.object = object }
  }
}

// @unchecked: `slots`, and what is in them, is used behind its lock. The listeners are handed from thread to thread,
// and so must be `Sendable` themselves.
extension MulticastDelegate: @unchecked Sendable where Listener: Sendable {}
