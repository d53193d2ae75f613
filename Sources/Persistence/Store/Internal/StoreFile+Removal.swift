internal import Foundation

extension StoreFile {
  /// Removes a store that is not in use.
  static func destroy(_ url: URL) throws(PersistenceError) {
    let place = StorePlace(.file(url))
    guard url.isFileURL else { throw failure(.notAFile, place) }
    let there = suffixes.filter { access(url.path + $0, F_OK) == 0 }
    if there.isEmpty { throw failure(.missing, place) }
    if there.contains("") { try checkUnused(url, place) }
    // The file goes last: without it, no one could tell what the other files belong to.
    for suffix in there.reversed() where unlink(url.path + suffix) != 0 && errno != ENOENT {
      throw failure(errno == EACCES || errno == EPERM || errno == EROFS ? .noPermission : .system, place)
    }
    syncFolder(of: url)
  }

  /// Verifies that no other connection is open, since only the last one can leave write-ahead logging. A file that is
  /// not a store or is corrupt counts as unused.
  private static func checkUnused(_ url: URL, _ place: StorePlace) throws(PersistenceError) {
    do {
      let connection = try RawConnection(url.path)
      try connection.leaveLog()
    } catch {
      guard case .busy(let cause) = error else { return }
      throw failure(.busy, place, cause)
    }
  }

  /// The path of the salvaged store that will replace a corrupt one.
  static func salvaged(_ url: URL) -> URL { URL(filePath: url.path + ".salvaged") }

  /// Moves a salvaged store to the path of the corrupt one once that path is free. This also completes a salvage whose
  /// process was killed in between.
  static func adoptSalvaged(_ url: URL) throws(PersistenceError) {
    let salvaged = salvaged(url)
    guard url.isFileURL, access(salvaged.path, F_OK) == 0, access(url.path, F_OK) != 0 else { return }
    do {
      try FileManager.default.moveItem(at: salvaged, to: url)
    } catch {
      throw failure(.system, StorePlace(.file(url)))
    }
    syncFolder(of: url)
  }

  /// Copies a corrupt store that is not in use. Omits the shared-memory index because SQLite recreates it.
  static func copy(_ source: URL, to target: URL) throws(PersistenceError) {
    do {
      for suffix in ["", "-wal"] where access(source.path + suffix, F_OK) == 0 {
        try FileManager.default.copyItem(atPath: source.path + suffix, toPath: target.path + suffix)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: target.path + suffix)
      }
    } catch {
      let code = (error as? CocoaError)?.code
      let reason: OpenFailure.Reason =
        switch code {
        case .fileReadNoPermission, .fileWriteNoPermission: .noPermission
        case .fileWriteOutOfSpace: .full
        default: .system
        }
      throw failure(reason, StorePlace(.file(source)))
    }
  }

  /// Rewrites the parts of a copy's header that are the same in every store.
  static func mendHeader(of copy: URL) throws(PersistenceError) {
    do {
      let file = try FileHandle(forUpdating: copy)
      defer { close(file.fileDescriptor) }
      guard var header = try file.read(upToCount: 100), header.count == 100 else { return }
      let size = try file.seekToEnd()
      header.replaceSubrange(0..<16, with: Data("SQLite format 3\u{0}".utf8))
      // Pages of 4 KB, format 2 (write-ahead log), no reserved bytes, and the fixed payload fractions.
      header.replaceSubrange(16..<24, with: [0x10, 0x00, 2, 2, 0, 64, 32, 32])
      let pages = UInt32(clamping: size / 4096)
      header.replaceSubrange(28..<32, with: withUnsafeBytes(of: pages.bigEndian) { Data($0) })
      // The schema format number, and UTF-8.
      header.replaceSubrange(44..<48, with: [0, 0, 0, 4])
      header.replaceSubrange(56..<60, with: [0, 0, 0, 1])
      // Marks the page count as valid for this change.
      header.replaceSubrange(92..<96, with: header[24..<28])
      try file.seek(toOffset: 0)
      try file.write(contentsOf: header)
    } catch {
      throw failure(.system, StorePlace(.file(copy)))
    }
  }
}
