public import Foundation

/// A cache that stores responses and uses them to serve later requests, like a browser's cache (RFC 9111, RFC 5861).
///
/// ```swift
/// let cache = try HTTPCache(directory: URL(filePath: "cache"))
/// let client = FetchClient { $0.cache = cache }
/// let response = try await client.fetch(url, .response)
/// response.source  // .network, .fresh, .revalidated or .stale
/// ```
///
/// The cache is a private cache as defined by HTTP, which means that it serves a single user. Responses fetched with
/// credentials (`Authorization`, `Cookie` and the redacted fields) are served only to requests with the same
/// credentials. Streams bypass the cache, and fail if the request accepts only stored responses.
///
/// Several clients can share one cache, and several processes can share one directory. Each file is written under a
/// temporary name and then renamed. If a process is killed or a file is corrupt, a response may have to be fetched
/// again, but the cache never returns a wrong body. Files are not synced to disk, so stored responses can also be lost
/// in a power failure.
///
/// Only the user who runs the process can read the directory. Bodies and header fields are stored unencrypted. The URLs
/// of requests are stored only as SHA-256 hashes.
public final class HTTPCache: Sendable {
  /// The options that the cache was created with.
  public let options: Options
  private let memory: Lock<MemoryStore>
  private let folder: CacheFolder?
  let revalidations = Revalidations()

  /// Creates a cache that stores responses only in memory.
  public convenience init(_ configure: (inout Options) -> Void = { _ in }) {
    var options = Options()
    configure(&options)
    self.init(options, nil)
  }

  /// Creates a cache that stores responses in memory and in a directory. The directory is created if it does not exist.
  ///
  /// - Throws: ``FolderError`` if the directory cannot be created or used. If a file operation fails later, no error is
  ///   thrown. A response that could not be written is used as long as it is in memory, and is then fetched again. See
  ///   ``lastFolderError``.
  public convenience init(
    directory: URL, _ configure: (inout Options) -> Void = { _ in }
  ) throws(FolderError) {
    var options = Options()
    configure(&options)
    let folder = try CacheFolder(directory, limit: options.diskBytes)
    do {
      try FolderAttributes(protection: options.fileProtection, isExcludedFromBackup: options.isExcludedFromBackup)
        .apply(to: folder.root)
    } catch {
      throw FolderError(operation: "setattr", path: folder.root, code: POSIXErrorCode.of(error))
    }
    self.init(options, folder)
  }

  init(_ options: Options, _ folder: CacheFolder?) {
    self.options = options
    memory = Lock(MemoryStore(limit: options.memoryBytes))
    self.folder = folder
  }

  /// The approximate number of bytes that stored responses occupy in memory. It includes an estimate of the overhead
  /// for each response.
  public var memoryBytes: Int { memory.withLock { $0.cost } }
  /// The approximate size of the directory in bytes, or 0 if the cache has no directory. Changes made by other
  /// processes are taken into account only from time to time.
  public var diskBytes: Int { folder?.bytes ?? 0 }
  /// The most recent error that occurred when the cache wrote a response to its directory, or nil if no error has
  /// occurred. A response that cannot be written is stored only in memory.
  public var lastFolderError: FolderError? { folder?.failure }

  /// Removes all stored responses, including those on disk.
  public func removeAll() async {
    memory.withLock { $0.removeAll() }
    await folder?.removeAll()
  }

  /// Removes all responses stored for a URL, including variants and responses fetched with different credentials.
  public func remove(_ url: URL) async {
    await removeAll(of: String(url.absoluteString.prefix { $0 != "#" }))
  }

  /// Waits until all pending responses have been written to the directory and no validation is running in the
  /// background.
  public func waitUntilIdle() async {
    await revalidations.waitUntilIdle()
    await folder?.waitUntilIdle()
  }
}

extension HTTPCache {
  /// The result of a lookup and its moment. A response is stored only if nothing has been removed since that moment.
  struct Finding {
    var stored: StoredResponse?
    var moment: Int
  }

  var moment: Int { memory.withLock { $0.moment } }

  nonisolated(nonsending) func find(_ query: CacheRequest) async -> Finding {
    let (first, moment) = memory.withLock { ($0.entry(query.url, query.credential), $0.moment) }
    var key = query.credential
    var entry = first
    if entry == nil { entry = await load(query.url, key, moment) }
    if case .varying(let names) = entry {
      key = query.variant(by: names)
      entry = memory.withLock { $0.entry(query.url, key) }
      if entry == nil { entry = await load(query.url, key, moment) }
    }
    guard case .response(let stored) = entry else { return Finding(moment: moment) }
    return Finding(stored: stored, moment: moment)
  }

  /// Looks up after everything removed or replaced so far is gone from the disk.
  nonisolated(nonsending) func findSettled(_ query: CacheRequest) async -> Finding {
    await folder?.waitForChanges(of: query.url)
    return await find(query)
  }

  /// Stores a response, in memory immediately and on disk soon after.
  func store(_ stored: StoredResponse, for query: CacheRequest, asOf moment: Int) {
    guard stored.body.count <= options.maxBodySize, let names = VaryKey.names(in: stored.headers) else {
      return remove(query)
    }
    var key = query.credential
    if !names.isEmpty {
      set(query.url, key, .varying(names), asOf: moment)
      key = query.variant(by: names)
    }
    set(query.url, key, .response(stored), asOf: moment)
  }

  /// Removes the response that would be served to this request.
  func remove(_ query: CacheRequest) {
    for key in memory.withLock({ memory in
      var keys = [query.credential]
      if case .varying(let names) = memory.entry(query.url, query.credential) { keys = [query.variant(by: names)] }
      for key in keys { memory.remove(query.url, key) }
      return keys
    }) { folder?.remove(query.url, key) }
  }

  /// Removes all responses stored for a URL. Returns when none of them is on disk.
  func removeAll(of url: String) async {
    memory.withLock { $0.removeAll(of: url) }
    await folder?.removeAll(of: url)
  }

  nonisolated(nonsending) private func load(_ url: String, _ key: String, _ moment: Int) async -> CacheEntry? {
    guard let entry = await folder?.entry(url, key) else { return nil }
    // An entry that was removed while it was being read is discarded.
    return memory.withLock { $0.set(url, key, entry, asOf: moment) } ? entry : nil
  }

  private func set(_ url: String, _ key: String, _ entry: CacheEntry, asOf moment: Int) {
    guard memory.withLock({ $0.set(url, key, entry, asOf: moment) }) else { return }
    folder?.set(url, key, entry) { [memory] in memory.withLock { $0.isCurrent(url, asOf: moment) } }
  }
}
