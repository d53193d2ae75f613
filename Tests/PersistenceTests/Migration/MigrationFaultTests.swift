import Foundation
import LarderTestSupport
import Persistence
import PersistenceTesting
import Testing

/// A migration that fails leaves the old store, or the new one if it failed after its commit.
@Suite struct MigrationFaultTests {
  let store: TemporaryStore
  private let films = 25

  init() throws { store = try TemporaryStore() }

  /// A store of the first release in a single file.
  private func template() async throws -> URL {
    let original = store.folder.appending(path: "original.db")
    try await ReleasedContents.fillFirst(original, films: films)
    let url = store.folder.appending(path: "template.db")
    try await PersistentContainer(at: .file(original), schema: V1.schema).backup(to: url)
    return url
  }

  private func begin(from template: URL) throws {
    for file in try FileManager.default.contentsOfDirectory(at: store.folder, includingPropertiesForKeys: nil)
    where file.lastPathComponent.hasPrefix("store.db") {
      try FileManager.default.removeItem(at: file)
    }
    try FileManager.default.copyItem(at: template, to: store.file)
  }

  private func isNew() async throws -> Bool {
    try await ReleasedContents.thirdIsWhole(store.file, films: films, emptyRemark: "")
  }

  @Test(arguments: StorageFaults.Kind.allCases, [false, true])
  func `a disk error at any operation of a migration leaves the old or the new store`(
    _ kind: StorageFaults.Kind, persistently: Bool
  ) async throws {
    let template = try await template()
    var operation = 1
    var errors = 0
    while true {
      try begin(from: template)
      let faults = StorageFaults()
      faults.fail(kind, at: operation, persistently: persistently)
      var failure: PersistenceError?
      do {
        let found = try await ReleasedContents.thirdIsWhole(store.file, films: films, emptyRemark: "") {
          faults.apply(to: &$0)
          $0.durability = .powerLoss
        }
        #expect(found, "at \(operation)")
      } catch {
        errors += 1
        failure = error as? PersistenceError
        #expect(failure != nil, "at \(operation): \(error)")
      }
      let fired = faults.hasFired
      faults.stop()
      let preview = try await PersistentContainer.previewMigration(at: store.file, schema: V3.schema)
      if preview.storeVersion == 1 {
        #expect(failure != nil, "at \(operation)")
        #expect(try await ReleasedContents.firstIsWhole(store.file, films: films), "at \(operation)")
        if kind == .diskFull, case .cannotOpen(let cause) = failure {
          #expect(cause.reason == .full || cause.reason == .system, "at \(operation): \(cause)")
        }
        // And the store can be migrated later.
        #expect(try await isNew(), "at \(operation)")
      } else {
        // The error occurred after the commit or during it.
        #expect(try await isNew(), "at \(operation)")
      }
      if !fired { break }
      operation += StorageFaultTests.step
    }
    #expect(errors > 0 && operation > 20)
  }

  @Test func `a process that is killed at any step of a migration leaves the old store`() async throws {
    let template = try await template()
    var step = 1
    while true {
      try begin(from: template)
      let worker = try ChildProcess.worker("migrate", store.file.path, "\(step)")
      var told: [String] = []
      for await line in worker.lines { told.append(line) }
      let exit = await worker.exit()
      if exit == .code(0) {
        #expect(told == ["\(step - 1) pieces of progress"])
        break
      }
      #expect(exit == .signal(SIGKILL))
      #expect(try await ReleasedContents.firstIsWhole(store.file, films: films), "at \(step)")
      #expect(try await isNew(), "at \(step)")
      step += 1
    }
    #expect(step > 10)
    #expect(try await isNew())
  }
}
