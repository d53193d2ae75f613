internal import Dispatch
internal import Foundation

/// What the cache keeps on disk: a file per entry, put in place by renaming, so that a file is there whole or not at
/// all.
///
/// Nothing is synchronised to the drive: a process that is killed leaves every file as it was or as it is to be, and
/// after a loss of power a file may be torn, which its hashes tell. Either way the worst is a miss. Several processes
/// may use one folder: they see each other's files, and share nothing else.
final class CacheFolder: Sendable {
  /// Where a test may end the process.
  enum Point: String, CaseIterable {
    case created, headWritten, bodyWritten, renamed
  }

  struct Accounts {
    /// What there was at the last count, and what was written here since.
    var bytes = 0
    var writtenSinceCount = 0
    var lastName = 0
    var failure: HTTPCache.FolderError?
  }

  let root: String
  let limit: Int
  let accounts = Lock(Accounts())
  let atPoint: @Sendable (Point) -> Void
  // Reading and writing wait for the disk on threads of their own, and reading does not wait for writing.
  private let readQueue = DispatchQueue(label: "larder.cache.read")
  private let writeQueue = DispatchQueue(label: "larder.cache.write", qos: .utility)

  init(
    _ directory: URL, limit: Int, atPoint: @escaping @Sendable (Point) -> Void = { _ in }
  ) throws(HTTPCache.FolderError) {
    root = directory.standardizedFileURL.path(percentEncoded: false)
    self.limit = limit
    self.atPoint = atPoint
    do {
      try FileManager.default.createDirectory(
        atPath: root, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw HTTPCache.FolderError(operation: "mkdir", path: root, code: Int32(clamping: (error as NSError).code))
    }
    // One that was there may be open to others. A folder of another owner's stays as it is.
    chmod(root, 0o700)
    guard access(root, R_OK | W_OK | X_OK) == 0 else {
      throw HTTPCache.FolderError(operation: "access", path: root, code: errno)
    }
    writeQueue.async { [self] in count() }
  }

  /// How many bytes the files have, as far as is known here.
  var bytes: Int { accounts.withLock { $0.bytes } }
  /// The last thing that went wrong when writing.
  var failure: HTTPCache.FolderError? { accounts.withLock { $0.failure } }

  /// The entry, nil where there is none or it is damaged.
  ///
  /// The name is looked up at once: that there is no such file, as for everything new, costs one call.
  func entry(_ url: String, _ key: String) async -> CacheEntry? {
    let path = path(url, key)
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    // Handed over under a lock: the thread sanitizer does not see on Linux that a continuation orders its two sides.
    let found = Lock<CacheEntry?>(nil)
    await withCheckedContinuation { continuation in
      readQueue.async { [self] in
        let entry = read(descriptor, url, key)
        close(descriptor)
        if entry == nil { unlink(path) }
        found.withLock { $0 = entry }
        continuation.resume()
      }
    }
    return found.withLock { $0 }
  }

  /// Writes an entry some time later.
  func set(_ url: String, _ key: String, _ entry: CacheEntry, if isCurrent: @escaping @Sendable () -> Bool) {
    writeQueue.async { [self] in
      // What was removed meanwhile must not come back.
      guard isCurrent() else { return }
      write(entry, url, key)
    }
  }

  /// Removes one entry some time later.
  func remove(_ url: String, _ key: String) {
    writeQueue.async { [self] in _ = unlink(path(url, key)) }
  }

  /// Removes everything stored for the URL; returns when nothing of it can be read any more.
  func removeAll(of url: String) async {
    await afterWrites { [self] in
      let (shard, name) = names(url)
      for file in files(in: shard) where file.name.hasPrefix(name) { unlink(file.path) }
    }
  }

  /// Removes everything.
  func removeAll() async {
    await afterWrites { [self] in
      for shard in shards() { for file in files(in: shard) { unlink(file.path) } }
      count()
    }
  }

  /// Returns when everything that was to be written or removed has been.
  func settled() async {
    await afterWrites {}
  }

  private func afterWrites(_ work: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
      writeQueue.async {
        work()
        continuation.resume()
      }
    }
  }
}
