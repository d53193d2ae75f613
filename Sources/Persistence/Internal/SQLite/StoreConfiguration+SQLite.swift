extension StoreConfiguration {
  var busyMilliseconds: Int32 {
    let (seconds, attoseconds) = busyTimeout.components
    let milliseconds = Double(seconds) * 1e3 + Double(attoseconds) / 1e15
    return Int32(max(0, min(milliseconds, 3_600_000)))
  }

  /// Everything is said, nothing left to how a machine's SQLite was built.
  ///
  /// Cells are not checked as each page is read, which made a scattered read of rows two fifths slower: SQLite checks
  /// what it follows of a corrupt page, and salvage, which reads on in spite of that, has the check on.
  /// - Parameter fileSize: in bytes.
  func pragmas(inMemory: Bool, fileSize: Int64) -> [String] {
    // Others may write to the store: it is open as theirs is, so that nothing is left beside it in the end.
    let journal =
      isReadOnly
      ? ["PRAGMA query_only=ON"]
      : inMemory
        ? ["PRAGMA journal_mode=MEMORY"]
        : ["PRAGMA journal_mode=WAL", "PRAGMA journal_size_limit=\(logSizeLimit)"]
    // Pages are of 4 KB, SQLite's default; the limit is never below what the store has already.
    let limit = sizeLimit.map { ["PRAGMA max_page_count=\(max(1, $0 / 4096))"] } ?? []
    return journal + limit + [
      "PRAGMA synchronous=\(durability.synchronous)",
      "PRAGMA fullfsync=\(durability == .powerLoss ? 1 : 0)",
      "PRAGMA foreign_keys=ON",
      "PRAGMA recursive_triggers=OFF",
      "PRAGMA trusted_schema=OFF",
      "PRAGMA cell_size_check=OFF",
      "PRAGMA temp_store=MEMORY",
      "PRAGMA cache_size=\(cacheSize(fileSize))",
      "PRAGMA cache_spill=2000",
      "PRAGMA secure_delete=FAST",
    ]
  }

  /// 8 MB, as long as a good part of the file fits in. Rows from all over a larger one are hardly ever found in a
  /// cache, and copying their pages over those that were not used for longest, which the processor has long
  /// forgotten, makes them a fifth slower: there it is SQLite's default. Changed pages may be 8 MB in both cases.
  private func cacheSize(_ fileSize: Int64) -> Int { fileSize > 64 << 20 ? -2000 : -8000 }
}

extension Durability {
  fileprivate var synchronous: String {
    switch self {
    case .processCrash: "NORMAL"
    case .powerLoss: "FULL"
    }
  }
}
