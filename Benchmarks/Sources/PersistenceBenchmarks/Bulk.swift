import BenchmarkSupport
import Foundation
import Persistence
import PersistenceModel
import RawSQLite

extension Benchmark {
  /// Import and migration of a million rows.
  static var bulk: [Benchmark] { [importNew, importKnown, importMemory, addedAttribute] }

  private static let million = 1_000_000

  /// Upserts by a unique attribute, each round into a new file.
  private static var importNew: Benchmark {
    Benchmark(
      "import 1 000 000 rows, all new", unit: "ms",
      ours: {
        let workspace = try Workspace()
        let context = try await catalog(workspace).newContext()
        return try await withWorkspace(workspace) { try await importMovies(into: context, expecting: million) }
      },
      peers: [
        Peer("a raw prepared UPSERT loop", must: 1 / 1.2, goal: 1 / 0.95) {
          let workspace = try Workspace()
          let store = try RawUpsert(path: workspace.path("raw.db"))
          return try await withWorkspace(workspace) {
            try milliseconds { try store.upsert(million, SampleMovies.raw) }
          }
        }
      ])
  }

  /// The same rows again: each of them is found and changed.
  private static var importKnown: Benchmark {
    let stores = KnownStores()
    return Benchmark(
      "import 1 000 000 rows, all there", unit: "ms",
      ours: { try await importMovies(into: stores.context(), expecting: 0) },
      peers: [
        Peer("a raw prepared UPSERT loop", must: 1.0, goal: 1 / 0.6) {
          let store = try stores.raw()
          return try milliseconds { try store.upsert(million, SampleMovies.raw) }
        }
      ])
  }

  /// What the process holds more of afterwards.
  private static var importMemory: Benchmark {
    Benchmark("import 1 000 000 rows, growth of memory", unit: "MB", must: 16, goal: 4) {
      let workspace = try Workspace()
      let context = try await catalog(workspace).newContext()
      try await context.persist { objects in
        _ = try objects.import(0..<1_000, into: CatalogMovie.self, matching: \.remoteID, fields)
      }
      let before = try residentMegabytes()
      _ = try await importMovies(into: context, expecting: million - 1_000)
      return try await withWorkspace(workspace) { try max(0, peakMegabytes() - before) }
    }
  }

  /// Opening a store whose class has one attribute more than the store.
  private static var addedAttribute: Benchmark {
    let stores = GrownStores()
    return Benchmark(
      "migration that adds an attribute, 1 000 000 rows", unit: "ms",
      ours: { try await stores.migrate(million) },
      peers: [Peer("the same, 1 000 rows", must: 1 / 10.0, goal: 1 / 2.0) { try await stores.migrate(1_000) }])
  }

  private static var fields: [ImportField<CatalogMovie, Int>] {
    [
      .set(\.title) { SampleMovies.title($0) }, .set(\.popularity) { Double($0) }, .set(\.remoteID) { Int64($0) },
      .set(\.overview) { SampleMovies.overview($0) }, .set(\.released) { _ in SampleMovies.released },
      .set(\.votes) { _ in 3 },
    ]
  }

  fileprivate static func catalog(_ workspace: Workspace) async throws -> PersistentContainer {
    try await PersistentContainer(at: .file(workspace.url("ours.store")), schema: Schema(CatalogMovie.self))
  }

  fileprivate static func importMovies(into context: ObjectContext, expecting inserted: Int) async throws -> Double {
    var report: ImportReport?
    let time = try await asyncMilliseconds {
      report = try await context.persist { objects in
        try objects.import(0..<million, into: CatalogMovie.self, matching: \.remoteID, fields)
      }
    }
    guard report?.rows == million, report?.inserted == inserted else {
      throw WrongResult("\(String(describing: report))")
    }
    return time
  }
}

func withWorkspace(_ workspace: Workspace, _ body: () async throws -> Double) async rethrows -> Double {
  let result = try await body()
  return withExtendedLifetime(workspace) { result }
}

/// Stores that have all rows already, kept for all rounds.
private final class KnownStores {
  private var workspace: Workspace?
  private var ours: ObjectContext?
  private var peer: RawUpsert?

  private func home() throws -> Workspace {
    if let workspace { return workspace }
    let new = try Workspace()
    workspace = new
    return new
  }

  func context() async throws -> ObjectContext {
    if let ours { return ours }
    let context = try await Benchmark.catalog(home()).newContext()
    _ = try await Benchmark.importMovies(into: context, expecting: 1_000_000)
    ours = context
    return context
  }

  func raw() throws -> RawUpsert {
    if let peer { return peer }
    let store = try RawUpsert(path: home().path("raw.db"))
    try store.upsert(1_000_000, SampleMovies.raw)
    peer = store
    return store
  }
}

/// Stores of the class as it was, kept to be copied.
private final class GrownStores {
  private var workspace: Workspace?
  private var made: Set<Int> = []

  func migrate(_ count: Int) async throws -> Double {
    let home = try workspace ?? Workspace()
    workspace = home
    let original = home.url("original-\(count).store")
    if made.insert(count).inserted { try await fill(original, count) }
    let copy = home.url("copy.store")
    try FileManager.default.copyItem(at: original, to: copy)
    // Or the first sync of the migration would wait for the disk to take in the whole copy.
    let file = try FileHandle(forUpdating: copy)
    try file.synchronize()
    try file.close()
    defer { for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: copy.path + suffix) } }
    var container: PersistentContainer?
    let time = try await asyncMilliseconds {
      container = try await PersistentContainer(at: .file(copy), schema: Schema(After.Item.self))
    }
    guard container?.migration?.steps.map(\.text) == ["add Item.rating"] else {
      throw WrongResult("nothing was migrated")
    }
    return time
  }

  private func fill(_ url: URL, _ count: Int) async throws {
    let scratch = url.appendingPathExtension("scratch")
    let container = try await PersistentContainer(at: .file(scratch), schema: Schema(Before.Item.self))
    try await container.newContext().persist { objects in
      let fields: [ImportField<Before.Item, Int>] = [.set(\.number) { Int64($0) }, .set(\.text) { "the item \($0)" }]
      _ = try objects.import(0..<count, into: Before.Item.self, matching: \.number, fields)
    }
    // Whole in one file
    try await container.backup(to: url)
  }
}

private func residentMegabytes() throws -> Double {
  // Begins the peak anew.
  try Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
  return try statusMegabytes("VmRSS:")
}

private func peakMegabytes() throws -> Double { try statusMegabytes("VmHWM:") }

private func statusMegabytes(_ name: String) throws -> Double {
  let text = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
  guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix(name) }),
    let kilobytes = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap({ Double($0) })
  else { throw WrongResult("no \(name) in /proc/self/status") }
  return kilobytes / 1024
}
