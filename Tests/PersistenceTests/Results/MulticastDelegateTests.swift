import Foundation
import Persistence
import Testing

@Suite struct MulticastDelegateTests {
  private protocol Listener: AnyObject, Sendable {
    func hear(_ number: Int)
  }

  /// Records its name and the number it receives, and then performs an action.
  private final class Recorder: Listener {
    let name: String
    let log: Log
    let action: @Sendable () -> Void
    let onDeath: @Sendable () -> Void

    init(
      _ name: String, _ log: Log, then action: @escaping @Sendable () -> Void = {},
      onDeath: @escaping @Sendable () -> Void = {}
    ) {
      self.name = name
      self.log = log
      self.action = action
      self.onDeath = onDeath
    }

    deinit { onDeath() }

    func hear(_ number: Int) {
      log.add("\(name)\(number)")
      action()
    }
  }

  private final class Log: @unchecked Sendable {
    // @unchecked: used behind its lock.
    private let lock = NSLock()
    private var entries: [String] = []

    func add(_ entry: String) { lock.withLock { entries.append(entry) } }

    var all: [String] { lock.withLock { entries } }
  }

  private let log = Log()
  private let listeners = MulticastDelegate<any Listener> { $0 }

  private func call(_ number: Int) { listeners.invoke { $0.hear(number) } }

  @Test func `a multicast delegate calls each listener once, in the order of addition`() {
    let (a, b, c) = (Recorder("a", log), Recorder("b", log), Recorder("c", log))
    for listener in [a, b, a, c] { listeners.add(listener) }
    call(1)
    listeners.remove(b)
    listeners.remove(b)
    call(2)
    #expect(log.all == ["a1", "b1", "c1", "a2", "c2"])
    #expect(listeners.count == 2 && !listeners.isEmpty)
    withExtendedLifetime((a, b, c)) {}
  }

  @Test func `released listeners are neither retained nor called nor counted`() {
    let a = Recorder("a", log)
    do {
      let b = Recorder("b", log)
      listeners.add(b)
      listeners.add(a)
    }
    #expect(listeners.count == 1)
    call(1)
    #expect(log.all == ["a1"])
    withExtendedLifetime(a) {}
  }

  @Test func `a listener that is released while others are called is not called`() {
    let held = Held()
    let a = Recorder("a", log) { held.listener = nil }
    held.listener = Recorder("b", log)
    listeners.add(a)
    if let b = held.listener { listeners.add(b) }
    call(1)
    #expect(log.all == ["a1"] && listeners.count == 1)
    withExtendedLifetime(a) {}
  }

  @Test func `a listener removed during a round is not called, one added is called in the next round`() {
    let listeners = listeners
    let (b, c) = (Recorder("b", log), Recorder("c", log))
    let a = Recorder("a", log) {
      listeners.remove(b)
      listeners.add(c)
    }
    listeners.add(a)
    listeners.add(b)
    call(1)
    #expect(log.all == ["a1"])
    call(2)
    #expect(log.all == ["a1", "a2", "c2"])
    withExtendedLifetime((a, b, c)) {}
  }

  @Test func `a listener may remove itself and call the other listeners`() {
    let listeners = listeners
    let held = Held()
    let a = Recorder("a", log) {
      if let listener = held.listener { listeners.remove(listener) }
      listeners.invoke { $0.hear(9) }
    }
    let b = Recorder("b", log)
    held.listener = a
    listeners.add(a)
    listeners.add(b)
    call(1)
    #expect(log.all == ["a1", "b9", "b1"])
    held.listener = nil
    withExtendedLifetime((a, b)) {}
  }

  @Test func `a listener may remove another listener in its deinit`() {
    let listeners = listeners
    let other = Recorder("other", log)
    do {
      let dying = Recorder("dying", log, onDeath: { listeners.remove(other) })
      listeners.add(dying)
      listeners.add(other)
    }
    call(1)
    #expect(log.all == [] && listeners.isEmpty)
  }

  @Test func `an error thrown for one listener ends the round of calls`() {
    let (a, b) = (Recorder("a", log), Recorder("b", log))
    listeners.add(a)
    listeners.add(b)
    #expect(throws: Stop.self) {
      try listeners.invoke { listener in
        listener.hear(1)
        throw Stop()
      }
    }
    #expect(log.all == ["a1"])
    withExtendedLifetime((a, b)) {}
  }

  @Test func `a multicast delegate may be used by several threads at the same time`() async {
    let (listeners, log) = (listeners, log)
    let steady = Recorder("s", log)
    listeners.add(steady)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for round in 0..<200 {
            let passing = Recorder("p", log)
            listeners.add(passing)
            listeners.invoke { $0.hear(round) }
            if round.isMultiple(of: 2) { listeners.remove(passing) }
          }
        }
      }
    }
    call(1)
    #expect(log.all.count { $0.hasPrefix("s") } == 801)
    #expect(listeners.count == 1)
    withExtendedLifetime(steady) {}
  }

  /// `@unchecked Sendable`: used by one thread at a time.
  private final class Held: @unchecked Sendable {
    var listener: Recorder?
  }
}

// The example of the documentation.

private protocol DatabaseListener: AnyObject, Sendable {
  func moviesDidChange(_ titles: [String])
}

@MainActor private final class MovieDatabase {
  private let listeners = MulticastDelegate<any DatabaseListener> { $0 }
  private(set) var titles: [String] = [] {
    didSet { listeners.invoke { $0.moviesDidChange(titles) } }
  }

  func add(_ listener: any DatabaseListener) {
    listeners.add(listener)
    listener.moviesDidChange(titles)
  }

  func add(title: String) { titles.append(title) }
}

@MainActor @Suite struct DatabaseListenerTests {
  /// `@unchecked Sendable`: used on the main actor.
  private final class Screen: DatabaseListener, @unchecked Sendable {
    var shown: [[String]] = []

    func moviesDidChange(_ titles: [String]) { shown.append(titles) }
  }

  @Test func `a new database listener receives the current list and then every change`() {
    let database = MovieDatabase()
    database.add(title: "Fargo")
    let screen = Screen()
    database.add(screen)
    database.add(title: "Alien")
    #expect(screen.shown == [["Fargo"], ["Fargo", "Alien"]])
  }
}
