import Foundation
import LarderTestSupport

@testable import Persistence

/// Runs schedules, each on a new copy of a store, or on a store that its processes create.
final class ScheduleLab: Sendable {
  struct Outcome: Equatable {
    var problems: [String]
    var steps: Int
  }

  private let template: TemporaryStore
  /// The folder of the copies. Nothing is synchronised, so memory works as well as a disk.
  private let folder: URL

  init() async throws {
    let memory = URL(filePath: "/dev/shm")
    let isThere = FileManager.default.isWritableFile(atPath: memory.path)
    folder = (isThere ? memory : FileManager.default.temporaryDirectory).appending(
      path: "schedules-\(UUID().uuidString)")
    template = try TemporaryStore()
    let container = try await template.open(Left.self) { $0.history = .kept() }
    try await container.newContext().persist { _ in }
    await container.close()
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func run(seed: UInt64, isGuarded: Bool = true) async throws -> Outcome {
    let folder = folder.appending(path: "\(seed)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "store.db")
    // In some schedules the processes create the store.
    if seed % 4 != 0 { try FileManager.default.copyItem(at: template.file, to: file) }
    return try await offThread { ScheduleLab.run(file, seed, isGuarded) }
  }

  private static func run(_ file: URL, _ seed: UInt64, _ isGuarded: Bool) -> Outcome {
    var random = SplitMix(seed: seed)
    let count = Int.random(in: 2...3, using: &random)
    let ledger = ScheduleLedger()
    let scheduler = Scheduler(count, seed: random.next())
    guard let disk = try? ObservedDisk() else { return Outcome(problems: ["no disk"], steps: 0) }
    disk.observe { point, at, flags in scheduler.meet(point, at, flags) }
    let processes = (0..<count).map { name in
      ScheduledProcess(name, file, ledger, seed: seed) { configuration in
        disk.apply(to: &configuration)
        configuration.guardsCheckpoints = isGuarded
        configuration.history = .kept()
      }
    }
    scheduler.run(processes.map { process in { process.run() } })
    if scheduler.isEndless { ledger.problems.append("the schedule does not end") }
    do throws(PersistenceError) {
      let store = try Store(.file(file), Schema(Left.self), StoreConfiguration())
      let found = try ObjectSpace(store.access).perform { Set(try $0.fetch(Left.self).map(\.number)) }
      let lost = ledger.acknowledged.subtracting(found)
      if !lost.isEmpty { ledger.problems.append("in the end: lost \(lost.sorted())") }
      let strange = found.intersection(ledger.refused)
      if !strange.isEmpty { ledger.problems.append("in the end: refused but stored \(strange.sorted())") }
      let report = try StoreMaintenance(store.access).check()
      if !report.isIntact { ledger.problems.append("in the end: \(report.problems)") }
    } catch {
      ledger.problems.append("in the end: \(error)")
    }
    return Outcome(problems: ledger.problems, steps: scheduler.steps)
  }
}
