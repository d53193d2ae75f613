import FetchKit
import Foundation
import LarderTestSupport
import Persistence
import SyncKit

/// An app that changes entries all the time, until it is killed.
struct Device {
  let number: Int
  let container: PersistentContainer
  let context: ObjectContext
  let engine: SyncEngine

  init(_ number: Int, at url: URL, in folder: URL) async throws {
    self.number = number
    let client = FetchClient { $0.timeouts.total = .seconds(10) }
    let remote = KintoRemote(client: client, url: url)
    container = try await PersistentContainer(
      at: .file(folder.appending(path: "\(number).store")), schema: Schema(Entry.self).synchronizing(remote.classes))
    context = container.newContext()
    engine = try SyncEngine(container, with: remote)
    try await engine.start()
  }

  /// Says in a file what is going to be saved, and what has been.
  func run(_ seed: UInt64, log file: URL) async throws {
    var random = SplitMix(seed: seed)
    if !FileManager.default.fileExists(atPath: file.path) { try Data().write(to: file) }
    let log = try FileHandle(forWritingTo: file)
    try log.seekToEnd()
    func note(_ text: String) throws { try log.write(contentsOf: Data((text + "\n").utf8)) }
    while true {
      let (choice, pick) = (Int.random(in: 0..<10, using: &random), Int.random(in: 0..<1000, using: &random))
      let value = "\(number).\(random.next())"
      let (own, others) = try await titles()
      let title: String
      let change: @Sendable (Entry?, ObjectSpace) -> Void
      switch choice {
      case 0..<3:
        title = value
        try note("intent insert \(title) \(title)")
        change = { [number] _, objects in
          let entry = objects.insert(Entry.self)
          (entry.title, entry.text, entry.owner) = (title, title, number)
        }
      case 3..<6 where !own.isEmpty:
        title = own[pick % own.count]
        try note("intent edit \(title) \(value)")
        change = { entry, _ in entry?.text = value }
      case 6 where own.count > 20:
        title = own[pick % own.count]
        try note("intent delete \(title) -")
        change = { entry, objects in if let entry { objects.delete(entry) } }
      case 7... where !others.isEmpty:
        title = others[pick % others.count]
        change = { entry, _ in entry?.note = value }
      default: continue
      }
      try await context.persist { objects in
        change(try objects.fetch(Entry.self, where: { $0.title == title }).first, objects)
      }
      try note("done")
      await engine.refresh()
      try await Task.sleep(for: .milliseconds(Int.random(in: 5..<40, using: &random)))
    }
  }

  private func titles() async throws -> (own: [String], others: [String]) {
    try await context.perform { [number] objects in
      let all = try objects.fetch(Entry.self)
      return (all.filter { $0.owner == number }.map(\.title), all.filter { $0.owner != number }.map(\.title))
    }
  }

  /// Synchronizes until nothing waits, and returns all entries.
  func settle() async throws -> [String] {
    for _ in 0..<100 { if try await engine.synchronize().isSynchronized { break } }
    let status = try await engine.synchronize()
    guard status.isSynchronized else { throw Judge.Failure("device \(number) does not come to rest: \(status)") }
    return try await context.perform { try $0.fetch(Entry.self).map(\.line).sorted() }
  }
}

extension Entry {
  var line: String { "\(key.map { "\(SyncKey($0))" } ?? "-") \(title) \(text) \(note) \(owner)" }
}
