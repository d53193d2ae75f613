public import Foundation

/// Keeps responses and answers requests with them, as a browser's cache does (RFC 9111, RFC 5861).
///
/// ```swift
/// let cache = try HTTPCache(directory: URL(filePath: "cache"))
/// let client = FetchClient { $0.cache = cache }
/// let response = try await client.fetch(url, .response)
/// response.source                                     // .network, .fresh, .revalidated or .stale
/// ```
///
/// A private cache: it serves one user. What was fetched with credentials (`Authorization`, `Cookie` and the fields
/// that are redacted) is served to requests with the same credentials only. Streams go past it.
///
/// Several clients may share one cache, and several processes one directory. Files are written aside and renamed; a
/// process killed in the middle, or a byte that has changed, costs a request and never gives a wrong body. Nothing is
/// synchronised to the drive. The directory is for the user alone to read; bodies and fields lie there as they came,
/// URLs do not.
public final class HTTPCache: Sendable {
  /// The limits the cache was made with.
  public let options: Options
  private let memory: Lock<MemoryStore>
  private let folder: CacheFolder?
  let revalidations = Revalidations()

  /// A cache in memory alone.
  public init(_ configure: (inout Options) -> Void = { _ in }) {
    var options = Options()
    configure(&options)
    self.options = options
    memory = Lock(MemoryStore(limit: options.memoryBytes))
    folder = nil
  }

  /// A cache in memory and in a directory, which is made if it is not there.
  ///
  /// - Throws: ``FolderError`` where the directory cannot be made or used. Whatever goes wrong with it later costs
  ///   requests only, see ``lastFolderError``.
  public convenience init(
    directory: URL, _ configure: (inout Options) -> Void = { _ in }
  ) throws(FolderError) {
    var options = Options()
    configure(&options)
    self.init(options, try CacheFolder(directory, limit: options.diskBytes))
  }

  init(_ options: Options, _ folder: CacheFolder) {
    self.options = options
    memory = Lock(MemoryStore(limit: options.memoryBytes))
    self.folder = folder
  }

  /// How many bytes of memory are taken, bodies and an estimate of the rest.
  public var memoryBytes: Int { memory.withLock { $0.cost } }
  /// How many bytes the directory has, as far as this process knows; 0 without one.
  public var diskBytes: Int { folder?.bytes ?? 0 }
  /// The last thing that went wrong when an entry was written; what could not be written is simply not there.
  public var lastFolderError: FolderError? { folder?.failure }

  /// Forgets everything, on disk too.
  public func removeAll() async {
    memory.withLock { $0.removeAll() }
    await folder?.removeAll()
  }

  /// Forgets what is stored for a URL, whatever it varies by and for whatever credentials.
  public func remove(_ url: URL) async {
    await removeAll(of: String(url.absoluteString.prefix { $0 != "#" }))
  }

  /// Returns when everything has been written to the directory, and no validation goes on in the background.
  public func settled() async {
    await revalidations.settled()
    await folder?.settled()
  }
}

extension HTTPCache {
  /// What a look-up found, and the moment it belongs to: an answer is kept only if nothing was removed since.
  struct Finding {
    var stored: StoredResponse?
    var moment: Int
  }

  var moment: Int { memory.withLock { $0.moment } }

  nonisolated(nonsending) func find(_ query: CacheQuery) async -> Finding {
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

  /// Keeps a response, in memory at once and on disk soon.
  func store(_ stored: StoredResponse, for query: CacheQuery, asOf moment: Int) {
    guard stored.body.count <= options.largestBody, let names = Variance.names(in: stored.headers) else {
      return remove(query)
    }
    var key = query.credential
    if !names.isEmpty {
      set(query.url, key, .varying(names), moment)
      key = query.variant(by: names)
    }
    set(query.url, key, .response(stored), moment)
  }

  /// Forgets what would answer this request.
  func remove(_ query: CacheQuery) {
    for key in memory.withLock({ memory in
      var keys = [query.credential]
      if case .varying(let names) = memory.entry(query.url, query.credential) { keys = [query.variant(by: names)] }
      for key in keys { memory.remove(query.url, key) }
      return keys
    }) { folder?.remove(query.url, key) }
  }

  /// Forgets what is stored for a URL; returns when none of it is on disk either.
  func removeAll(of url: String) async {
    memory.withLock { $0.removeAll(of: url) }
    await folder?.removeAll(of: url)
  }

  nonisolated(nonsending) private func load(_ url: String, _ key: String, _ moment: Int) async -> CacheEntry? {
    guard let entry = await folder?.entry(url, key) else { return nil }
    // What was removed while it was read is not there any more.
    return memory.withLock { $0.set(url, key, entry, asOf: moment) } ? entry : nil
  }

  private func set(_ url: String, _ key: String, _ entry: CacheEntry, _ moment: Int) {
    guard memory.withLock({ $0.set(url, key, entry, asOf: moment) }) else { return }
    folder?.set(url, key, entry) { [memory] in memory.withLock { $0.isCurrent(url, asOf: moment) } }
  }
}
