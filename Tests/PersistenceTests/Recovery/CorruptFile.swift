import Foundation
import Persistence

final class Entry: ManagedObject {
  @Attribute var number = 0
  @Attribute var text = ""
  @Attribute(.unique) var key: Int?
  @ToOne var shelf: Drawer?
}

final class Drawer: ManagedObject {
  @Attribute var name = ""
  @ToMany(inverse: \Entry.shelf) var entries: RelatedObjects<Entry>
}

/// Changes of a file's bytes, as a failing disk might make them.
enum Corruption: CaseIterable {
  case flipped, zeroed, cut

  func apply(to url: URL, at offset: Int, count: Int) throws {
    let file = try FileHandle(forUpdating: url)
    defer { try? file.close() }
    if self == .cut { return try file.truncate(atOffset: UInt64(offset)) }
    try file.seek(toOffset: UInt64(offset))
    let old = try file.read(upToCount: count) ?? Data()
    try file.seek(toOffset: UInt64(offset))
    try file.write(contentsOf: self == .flipped ? Data(old.map { ~$0 }) : Data(count: old.count))
  }
}

/// A store with entries in its file and others in its log. The original files are kept and can be restored.
struct CorruptFile {
  static let schema = Schema(Entry.self, Drawer.self)
  static let stored = 600
  static let logged = 50
  let store: TemporaryStore
  private let original: URL

  init() async throws {
    store = try TemporaryStore()
    original = store.folder.appending(path: "original.db")
    let first = store.folder.appending(path: "first.db")
    try await CorruptFile.fill(
      PersistentContainer(at: .file(first), schema: CorruptFile.schema), 0..<CorruptFile.stored)
    try await PersistentContainer(at: .file(first), schema: CorruptFile.schema).backup(to: original)
    let container = try await PersistentContainer(at: .file(original), schema: CorruptFile.schema)
    let context = container.newContext()
    for start in stride(from: CorruptFile.stored, to: CorruptFile.stored + CorruptFile.logged, by: 10) {
      try await CorruptFile.fill(container, context, start..<start + 10)
    }
    // The log exists while the container is open.
    let kept = store.folder.appending(path: "kept.db")
    for suffix in ["", "-wal", "-shm"] {
      try FileManager.default.copyItem(atPath: original.path + suffix, toPath: kept.path + suffix)
    }
    withExtendedLifetime((container, context)) {}
  }

  private var kept: URL { store.folder.appending(path: "kept.db") }
  var url: URL { store.file }

  static func fill(_ container: PersistentContainer, _ numbers: Range<Int>) async throws {
    try await fill(container, container.newContext(), numbers)
  }

  private static func fill(
    _ container: PersistentContainer, _ context: ObjectContext, _ numbers: Range<Int>
  ) async throws {
    try await context.persist { objects in
      let shelf = try objects.fetch(Drawer.self).first ?? objects.insert(Drawer.self)
      shelf.name = "the shelf"
      for number in numbers {
        let entry = objects.insert(Entry.self)
        entry.number = number
        entry.text = text(number)
        entry.key = number
        entry.shelf = shelf
      }
    }
  }

  static func text(_ number: Int) -> String { String(repeating: "entry \(number) ", count: 6) }

  /// Restores the original files.
  func restore(withLog: Bool = true) throws {
    for file in try FileManager.default.contentsOfDirectory(at: store.folder, includingPropertiesForKeys: nil)
    where file.lastPathComponent.hasPrefix("store.db") {
      try FileManager.default.removeItem(at: file)
    }
    for suffix in withLog ? ["", "-wal", "-shm"] : [""] {
      try FileManager.default.copyItem(atPath: kept.path + suffix, toPath: url.path + suffix)
    }
  }

  func size(_ suffix: String = "") throws -> Int { try Data(contentsOf: URL(filePath: kept.path + suffix)).count }

  /// Whether every value that can be fetched is right, and all are of one snapshot.
  func isRight() async throws -> Bool {
    let container = try await PersistentContainer(at: .file(url), schema: CorruptFile.schema)
    let context = container.newContext()
    let isRight = try await context.perform { objects in
      let entries = try objects.fetch(Entry.self, sort: [.ascending(\.number)])
      return (CorruptFile.stored...CorruptFile.stored + CorruptFile.logged).contains(entries.count)
        && entries.count % 10 == 0
        && entries.enumerated().allSatisfy { number, entry in
          entry.number == number && entry.text == CorruptFile.text(number) && entry.key == number
            && entry.shelf?.name == "the shelf"
        }
    }
    // And the store can be written, or throws an error.
    try await context.persist { $0.insert(Entry.self).number = -1 }
    return isRight
  }
}
