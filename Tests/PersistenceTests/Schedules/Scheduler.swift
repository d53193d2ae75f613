import CLarderFaults
import Foundation
import LarderTestSupport

/// Runs threads in turn, one at a time, in an order that a seed determines.
///
/// A thread yields only at the points of an ``ObservedDisk``. No one knows in advance which point matters, so a thread
/// may be held at any of them, for a few points of the others or for very many, and more often at rare points. The same
/// seed gives the same order.
///
/// `@unchecked Sendable`: everything except the threads' semaphores is accessed only by the thread whose turn it is,
/// and before and after all threads run.
final class Scheduler: @unchecked Sendable {
  private final class Player {
    let semaphore = DispatchSemaphore(value: 0)
    var thread: pthread_t?
    var isDone = false
    /// The step from which it may run again.
    var heldUntil = 0
  }

  private let players: [Player]
  private var random: SplitMix
  private var current = 0
  private let haste: Int
  /// The number of points so far.
  private(set) var steps = 0
  /// No schedule is longer, unless something waits indefinitely.
  static let limit = 400_000
  var isEndless: Bool { steps >= Self.limit }

  init(_ count: Int, seed: UInt64) {
    players = (0..<count).map { _ in Player() }
    random = SplitMix(seed: seed)
    haste = [1, 4, 16].randomElement(using: &random) ?? 1
  }

  /// Runs each closure on a separate thread; returns when all have ended.
  func run(_ bodies: [@Sendable () -> Void]) {
    let ended = DispatchGroup()
    for (index, body) in bodies.enumerated() {
      ended.enter()
      let thread = Thread { [self] in
        players[index].semaphore.wait()
        players[index].thread = pthread_self()
        body()
        players[index].isDone = true
        // The turn passes on before the thread leaves the group; otherwise the group could end before that.
        passOn(from: index)
        ended.leave()
      }
      thread.stackSize = 1 << 20
      thread.start()
    }
    current = next() ?? 0
    players[current].semaphore.signal()
    ended.wait()
  }

  /// Called at a point; may yield to another thread. True if there is nothing else to do there.
  func meet(_ point: cfaults_point, _ at: Int, _ flags: Int) -> Bool {
    let index = current
    // Threads outside the schedule are not held. There are none while it runs.
    guard let thread = players[index].thread, pthread_equal(thread, pthread_self()) != 0 else { return false }
    steps += 1
    if steps >= Self.limit { return false }
    if isHeld(at: point, at, flags) {
      let exponent = Int.random(in: 0...10, using: &random)
      players[index].heldUntil = steps + Int.random(in: 1...1 << exponent, using: &random)
      if passOn(from: index) { players[index].semaphore.wait() }
    }
    return point == CFAULTS_SYNC || point == CFAULTS_SLEEP
  }

  private func isHeld(at point: cfaults_point, _ at: Int, _ flags: Int) -> Bool {
    let rarity =
      switch point {
      case CFAULTS_SLEEP: 1
      case CFAULTS_HEADER_READ: 2
      case CFAULTS_SHM_LOCK where at == IndexLock.checkpointer: 4
      case CFAULTS_SHM_LOCK where flags & IndexLock.exclusive != 0: 8 * haste
      case CFAULTS_LOCK, CFAULTS_UNLOCK, CFAULTS_SHM_UNMAP, CFAULTS_SYNC: 8 * haste
      default: 32 * haste
      }
    return Int.random(in: 0..<rarity, using: &random) == 0
  }

  /// Passes the turn to another thread. False if this thread keeps it.
  @discardableResult
  private func passOn(from index: Int) -> Bool {
    guard let next = next(), next != index else { return false }
    current = next
    players[next].semaphore.signal()
    return true
  }

  /// A thread that is not held, or else the one that is held for the shortest time.
  private func next() -> Int? {
    let left = players.indices.filter { !players[$0].isDone }
    let free = left.filter { players[$0].heldUntil <= steps }
    return free.randomElement(using: &random) ?? left.min { players[$0].heldUntil < players[$1].heldUntil }
  }
}
