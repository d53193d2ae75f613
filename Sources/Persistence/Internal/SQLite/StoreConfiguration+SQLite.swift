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
  func pragmas(inMemory: Bool) -> [String] {
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
      "PRAGMA cache_size=-2000",
      "PRAGMA secure_delete=FAST",
    ]
  }
}

extension Durability {
  fileprivate var synchronous: String {
    switch self {
    case .processCrash: "NORMAL"
    case .powerLoss: "FULL"
    }
  }
}
