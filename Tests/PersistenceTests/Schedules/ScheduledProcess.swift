import Foundation
import LarderTestSupport

@testable import Persistence

/// The commits of all processes of a schedule. Only the process whose turn it is accesses it.
final class ScheduleLedger: @unchecked Sendable {
  var begun: Set<Int> = []
  var acknowledged: Set<Int> = []
  /// Certainly rolled back.
  var refused: Set<Int> = []
  var problems: [String] = []
}

/// A process of a schedule: a separate store on the file that all share, and the operations on it.
///
/// `@unchecked Sendable`: it is used on one thread.
final class ScheduledProcess: @unchecked Sendable {
  private enum Work: CaseIterable {
    case commit, read, checkpoint, reopen, backUp, compact, follow
  }

  private let name: Int
  private let file: URL
  private let ledger: ScheduleLedger
  private let configuration: StoreConfiguration
  private var random: SplitMix
  private var store: Store?
  private var space: ObjectSpace?
  private var number = 0
  private var follower: ScheduleFollower?

  init(
    _ name: Int, _ file: URL, _ ledger: ScheduleLedger, seed: UInt64, configure: (inout StoreConfiguration) -> Void
  ) {
    self.name = name
    self.file = file
    self.ledger = ledger
    random = SplitMix(seed: seed ^ UInt64(name + 1) << 32)
    var configuration = StoreConfiguration()
    // With a short step and no log to keep, a commit checkpoints by itself.
    configuration.checkpointStep = [6, 20, 1_000].randomElement(using: &random) ?? 6
    configuration.logSizeLimit = 0
    configure(&configuration)
    self.configuration = configuration
  }

  func run() {
    attempt("open", open)
    for _ in 0..<Int.random(in: 3...8, using: &random) {
      // Half of all operations are commits and checkpoints.
      let work =
        Bool.random(using: &random)
        ? Bool.random(using: &random) ? .commit : .checkpoint : Work.allCases.randomElement(using: &random)
      switch work {
      case .checkpoint: _ = store?.access.checkpointer?.takeOver()
      case .read: attempt("read", read)
      case .reopen:
        close()
        attempt("open", open)
      case .backUp: attempt("back up", backUp)
      case .compact:
        attempt("compact") { () throws(PersistenceError) in
          if let store { _ = try StoreMaintenance(store.access).compact() }
        }
      case .follow: attempt("follow", follow)
      case .commit, nil: attempt("commit", commit)
      }
    }
    close()
  }

  /// Others may keep the store busy; nothing else may go wrong.
  private func attempt(_ name: String, _ body: () throws(PersistenceError) -> Void) {
    do {
      try body()
    } catch {
      switch error {
      case .busy: break
      case .cannotOpen(let failure) where failure.reason == .busy: break
      default: problem("\(name): \(error)")
      }
    }
  }

  private func problem(_ text: String) { ledger.problems.append("process \(name): \(text)") }

  private func open() throws(PersistenceError) {
    let store = try Store(.file(file), Schema(Left.self), configuration)
    let space = try ObjectSpace(store.access)
    follower = nil
    self.store = store
    self.space = space
    follower = try ScheduleFollower(store, space)
  }

  private func close() {
    follower = nil
    space?.close()
    store?.reader.close()
    (space, store) = (nil, nil)
  }

  private func numbers() throws(PersistenceError) -> Set<Int> {
    guard let space else { return [] }
    return try space.perform { Set(try $0.fetch(Left.self).map(\.number)) }
  }

  private func commit() throws(PersistenceError) {
    guard let space else { return }
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      number += 1
      let (key, length) = (name * 1_000 + number, Int.random(in: 100...9_000, using: &random))
      ledger.begun.insert(key)
      do throws(PersistenceError) {
        try space.persist { objects in
          let left = objects.insert(Left.self)
          (left.number, left.text) = (key, String(repeating: "x", count: length))
        }
        ledger.acknowledged.insert(key)
      } catch {
        if error.outcome == .rolledBack { ledger.refused.insert(key) }
        throw error
      }
    }
  }

  private func read() throws(PersistenceError) {
    let before = ledger.acknowledged
    if space == nil { return }
    check("read", try numbers(), holds: before)
  }

  private func check(_ what: String, _ found: Set<Int>, holds acknowledged: Set<Int>) {
    let lost = acknowledged.subtracting(found)
    let strange = found.subtracting(ledger.begun.subtracting(ledger.refused))
    if !lost.isEmpty { problem("\(what): lost \(lost.sorted())") }
    if !strange.isEmpty { problem("\(what): never committed \(strange.sorted())") }
  }

  private func backUp() throws(PersistenceError) {
    guard let store else { return }
    let before = ledger.acknowledged
    let url = file.deletingLastPathComponent().appending(path: "copy-\(name)-\(number)")
    StoreBackup.remove(url)
    try StoreBackup.make(of: store.access.place, store.access.configuration, at: StoreBackup.at(url))
    let copy = try ObjectSpace(try Store(.file(url), Schema(Left.self), StoreConfiguration()).access)
    let found = try copy.perform { Set(try $0.fetch(Left.self).map(\.number)) }
    check("copy", found, holds: before)
    copy.close()
    StoreBackup.remove(url)
  }

  /// The reported commits are those in the file.
  private func follow() throws(PersistenceError) {
    guard let follower, let store else { return }
    let before = try numbers()
    try store.reader.poll(store.access)
    let told = follower.numbers
    let after = try numbers()
    let (lost, strange) = (before.subtracting(told), told.subtracting(after))
    if !lost.isEmpty { problem("follow: not reported \(lost.sorted())") }
    if !strange.isEmpty { problem("follow: reported, not stored \(strange.sorted())") }
    if follower.repeated { problem("follow: reported twice") }
  }
}

/// Receives all commits of a store since it was opened.
///
/// `@unchecked Sendable`: it is called on the one thread that commits and polls for the commits of others.
final class ScheduleFollower: @unchecked Sendable {
  private(set) var numbers: Set<Int>
  private(set) var repeated = false

  init(_ store: Store, _ space: ObjectSpace) throws(PersistenceError) {
    var position: Int64?
    numbers = try space.perform { objects in
      // The fetch begins the transaction that both use.
      let numbers = Set(try objects.fetch(Left.self).map(\.number))
      position = try HistoryLog(objects.connection, objects.schema).position()
      return numbers
    }
    store.access.commits.add(CommitListener { [weak self] in self?.receive($0) })
    if let position { store.access.commits.followHistory(after: position) }
  }

  private func receive(_ commit: Commit) {
    for change in commit.changes.changes(of: Left.self) where change.kind == .inserted {
      guard let number = change.values(of: \.number)?.new else { continue }
      if !numbers.insert(number).inserted { repeated = true }
    }
  }
}
