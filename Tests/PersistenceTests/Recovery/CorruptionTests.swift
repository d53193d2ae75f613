import Foundation
import LarderTestSupport
import Persistence
import Testing

/// Opening reports a corrupt file, or the corruption makes no difference. Nothing traps or hangs.
@Suite struct CorruptionTests {
  private func expectRightOrTyped(_ file: CorruptFile, _ what: String) async throws -> PersistenceError? {
    do {
      #expect(try await file.isRight(), "\(what)")
      return nil
    } catch let error as PersistenceError {
      switch error {
      // A file whose header asks for a later SQLite to write to it may only be read.
      case .cannotOpen, .corrupt, .database, .invalidValue, .full, .readOnly: break
      default: Issue.record("\(what): \(error)")
      }
      return error
    }
  }

  @Test func `a corrupt field of a store's header throws a typed error or makes no difference`() async throws {
    let file = try await CorruptFile()
    // Where SQLite's fields begin and how long they are
    let fields = [
      (0, 16), (16, 2), (18, 1), (19, 1), (20, 1), (21, 1), (22, 1), (23, 1), (24, 4), (28, 4), (32, 4), (36, 4),
      (40, 4),
      (44, 4), (48, 4), (52, 4), (56, 4), (60, 4), (64, 4), (68, 4), (72, 20), (92, 4), (96, 4),
    ]
    var errors = 0
    for (offset, count) in fields {
      for corruption in Corruption.allCases {
        // An empty file without a log is a new store.
        for hasLog in [true, false] where hasLog || corruption != .cut || offset > 0 {
          try file.restore(withLog: hasLog)
          try corruption.apply(to: file.url, at: offset, count: count)
          if try await expectRightOrTyped(file, "\(corruption) at \(offset), log: \(hasLog)") != nil { errors += 1 }
        }
      }
    }
    #expect(errors > 60)
  }

  @Test func `a corrupt page of a store throws a typed error or makes no difference`() async throws {
    let file = try await CorruptFile()
    let size = try file.size()
    var errors = 0
    for page in stride(from: 4096, to: size, by: 4096) {
      for corruption in Corruption.allCases {
        try file.restore(withLog: false)
        try corruption.apply(to: file.url, at: page, count: 4096)
        if try await expectRightOrTyped(file, "\(corruption) page \(page / 4096)") != nil { errors += 1 }
      }
      try file.restore(withLog: false)
      try Corruption.cut.apply(to: file.url, at: page + 1000, count: 0)
      let error = try await expectRightOrTyped(file, "cut in \(page / 4096)")
      // The last page may be unused.
      if page + 4096 == size { continue }
      guard case .cannotOpen(let failure) = error else {
        Issue.record("a file that was truncated in page \(page / 4096) was opened")
        continue
      }
      #expect(failure.reason == .truncated)
    }
    #expect(errors > size / 4096)
  }

  @Test func `a corrupt write-ahead log or log index makes no difference`() async throws {
    let file = try await CorruptFile()
    var places = [(0, 4), (4, 4), (8, 4), (12, 4), (16, 8), (24, 8), (32, 4), (36, 4), (40, 8), (48, 8), (56, 4096)]
    let frames = (try file.size("-wal") - 32) / 4120
    for frame in stride(from: 1, to: frames, by: max(1, frames / 6)) { places.append((32 + frame * 4120 + 30, 600)) }
    for (offset, count) in places {
      for corruption in Corruption.allCases {
        try file.restore()
        try corruption.apply(to: URL(filePath: file.url.path + "-wal"), at: offset, count: count)
        #expect(try await expectRightOrTyped(file, "\(corruption) log at \(offset)") == nil)
      }
    }
    for (offset, count) in [(0, 4), (4, 4), (8, 4), (12, 4), (16, 4), (24, 8), (48, 48), (96, 40), (136, 4000)] {
      for corruption in Corruption.allCases {
        try file.restore()
        try corruption.apply(to: URL(filePath: file.url.path + "-shm"), at: offset, count: count)
        #expect(try await expectRightOrTyped(file, "\(corruption) index at \(offset)") == nil)
      }
    }
  }

  /// SQLite has no checksums: a changed byte within a page may be read as a value, or as an end. But nothing may trap
  /// or hang, and every error is typed.
  @Test func `random corrupt bytes in a store cause typed errors only`() async throws {
    let seed = ProcessInfo.processInfo.environment["LARDER_SEED"].flatMap { UInt64($0) } ?? 2026
    print("CorruptionTests: LARDER_SEED=\(seed)")
    var random = SplitMix(seed: seed)
    let file = try await CorruptFile()
    let rounds = ProcessInfo.processInfo.environment["LARDER_FUZZ_ROUNDS"].flatMap { Int($0) } ?? 1
    var errors = 0
    for round in 0..<rounds * 150 {
      let suffix = ["", "", "", "-wal"][Int.random(in: 0..<4, using: &random)]
      try file.restore(withLog: suffix != "")
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let offset = Int.random(in: 0..<(try file.size(suffix)), using: &random)
        try Corruption.flipped.apply(to: URL(filePath: file.url.path + suffix), at: offset, count: 1)
      }
      do {
        _ = try await file.isRight()
        let container = try await PersistentContainer(at: .file(file.url), schema: CorruptFile.schema)
        _ = try await container.integrityCheck()
      } catch {
        #expect(error is PersistenceError, "round \(round): \(error)")
        errors += 1
      }
    }
    #expect(errors > 0)
  }
}
