extension StoreConfiguration {
  var busyMilliseconds: Int32 {
    let (seconds, attoseconds) = busyTimeout.components
    let milliseconds = Double(seconds) * 1e3 + Double(attoseconds) / 1e15
    return Int32(max(0, min(milliseconds, 3_600_000)))
  }

  /// The page cache of a connection that has written, in the unit of SQLite's pragma.
  var pageCacheKilobytes: Int { max(64, min(pageCacheSize >> 10, 1 << 30)) }

  /// The settings of a connection. Sets everything explicitly, independent of how the machine's SQLite was built.
  ///
  /// Cells are not checked when a page is read, because that made a scattered read of rows two fifths slower. SQLite
  /// checks the parts of a corrupt page that it follows. Salvage reads past such errors, so it turns the check on.
  func pragmas(inMemory: Bool) -> [String] {
    // Others may write to the store. Opening it in their mode leaves nothing behind next to it in the end.
    let journal =
      isReadOnly
      ? ["PRAGMA query_only=ON"]
      : inMemory
        ? ["PRAGMA journal_mode=MEMORY"]
        : ["PRAGMA journal_mode=WAL", "PRAGMA journal_size_limit=\(logSizeLimit)"]
    // Pages have 4 KB, SQLite's default. The limit never falls below the current size of the store.
    let limit = sizeLimit.map { ["PRAGMA max_page_count=\(max(1, $0 / 4096))"] } ?? []
    return journal + limit + [
      "PRAGMA synchronous=\(durability.synchronous)",
      "PRAGMA fullfsync=\(durability == .powerLoss ? 1 : 0)",
      "PRAGMA foreign_keys=ON",
      "PRAGMA recursive_triggers=OFF",
      "PRAGMA trusted_schema=OFF",
      "PRAGMA cell_size_check=OFF",
      "PRAGMA temp_store=MEMORY",
      "PRAGMA cache_size=-\(min(2000, pageCacheKilobytes))",
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
