internal import Dispatch
internal import Foundation

/// The disk storage of the cache: one file per entry. Files are moved into place by renaming, so a file is either
/// complete or missing.
///
/// Files are not synced to disk. A killed process leaves every file in its old or its new state. After a power failure,
/// a file may be incomplete, which its hashes detect. The worst case is a cache miss. Several processes can use one
/// folder: they see each other's files and share nothing else.
final class CacheFolder: Sendable {
  /// The points where a test can end the process.
  enum Point: String, CaseIterable {
    case created, headWritten, bodyWritten, renamed
  }

  struct Accounts {
    /// The bytes found by the last count plus the bytes written since.
    var bytes = 0
    var writtenSinceCount = 0
    var lastName = 0
    var failure: HTTPCache.FolderError?
    /// The number of queued changes per URL.
    var pending: [String: Int] = [:]
  }

  let root: String
  let limit: Int
  let accounts = Lock(Accounts())
  let atPoint: @Sendable (Point) -> Void
  // Disk access runs on separate threads, and reads do not wait for writes.
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
      throw HTTPCache.FolderError(operation: "mkdir", path: root, code: POSIXErrorCode.of(error))
    }
    // An existing folder may be open to other users. A folder that belongs to another user is left unchanged.
    chmod(root, 0o700)
    guard access(root, R_OK | W_OK | X_OK) == 0 else {
      throw HTTPCache.FolderError(operation: "access", path: root, code: errno)
    }
    writeQueue.async { [self] in count() }
  }

  /// The number of bytes in the files, as far as this process knows.
  var bytes: Int { accounts.withLock { $0.bytes } }
  /// The last error that occurred while writing.
  var failure: HTTPCache.FolderError? { accounts.withLock { $0.failure } }

  /// Returns the entry, or nil if it is missing, corrupt, or about to be removed or replaced.
  ///
  /// The file is opened on the calling thread: if it does not exist, as for every new resource, this costs one system
  /// call.
  func entry(_ url: String, _ key: String) async -> CacheEntry? {
    guard accounts.withLock({ $0.pending[url] == nil }) else { return nil }
    let path = path(url, key)
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    let found = Promise<CacheEntry?>()
    readQueue.async { [self] in
      let entry = read(descriptor, url, key)
      close(descriptor)
      if entry == nil { unlink(path) }
      found.set(entry)
    }
    return await found.take()
  }

  /// Writes an entry later.
  func set(_ url: String, _ key: String, _ entry: CacheEntry, if isCurrent: @escaping @Sendable () -> Bool) {
    change(url) { [self] in
      // A response that was removed in the meantime must not reappear.
      guard isCurrent() else { return }
      write(entry, url, key)
    }
  }

  /// Removes one entry later.
  func remove(_ url: String, _ key: String) {
    change(url) { [self] in unlink(path(url, key)) }
  }

  /// Removes all responses stored for the URL. Returns when none of them can be read anymore.
  func removeAll(of url: String) async {
    await afterWrites(of: url) { [self] in
      let (shard, name) = names(url)
      for file in files(in: shard) where file.name.hasPrefix(name) { unlink(file.path) }
    }
  }

  func removeAll() async {
    await afterWrites { [self] in
      for shard in shards() { for file in files(in: shard) { unlink(file.path) } }
      count()
    }
  }

  /// Returns when all pending writes and removals are done.
  func waitUntilIdle() async {
    await afterWrites {}
  }

  /// Returns when no change of the URL's entries that is queued now is left.
  func waitForChanges(of url: String) async {
    if accounts.withLock({ $0.pending[url] != nil }) { await waitUntilIdle() }
  }

  private func afterWrites(of url: String = "", _ work: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
      change(url) {
        work()
        continuation.resume()
      }
    }
  }

  private func change(_ url: String, _ work: @escaping @Sendable () -> Void) {
    accounts.withLock { $0.pending[url, default: 0] += 1 }
    writeQueue.async { [self] in
      work()
      accounts.withLock { accounts in
        accounts.pending[url] = accounts.pending[url].flatMap { $0 > 1 ? $0 - 1 : nil }
      }
    }
  }
}

/// The entry stored under a pair of keys: the URL and the variant.
enum CacheEntry: Sendable {
  case response(StoredResponse)
  /// The responses of this URL vary by these fields. They are stored under the digest of the request's values for them.
  case varying([String])

  var cost: Int {
    switch self {
    case .response(let stored): stored.cost
    case .varying(let names): names.reduce(128) { $0 + $1.utf8.count }
    }
  }
}
