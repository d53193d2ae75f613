/// The memory storage of the cache. All variants of a URL are evicted and invalidated together.
struct MemoryStore {
  private struct Variant: Sendable {
    var key: String
    var entry: CacheEntry
  }

  private static let mostVariants = 16
  private static let mostRemovals = 1000

  private var urls: LRU<String, [Variant]>
  // When the responses of a URL were last invalidated. Responses to earlier requests must not be stored after that.
  private var removals: [String: Int] = [:]
  private var removalOfAll = 0
  private(set) var moment = 0

  init(limit: Int) {
    urls = LRU(limit: limit)
  }

  var cost: Int { urls.cost }
  var count: Int { urls.count }

  mutating func entry(_ url: String, _ key: String) -> CacheEntry? {
    urls.use(url)?.first { $0.key == key }?.entry
  }

  /// Returns false and discards the entry if the responses of the URL were removed since that moment.
  mutating func set(_ url: String, _ key: String, _ entry: CacheEntry, asOf asked: Int) -> Bool {
    guard isCurrent(url, asOf: asked) else { return false }
    var variants = urls.peek(url) ?? []
    variants.removeAll { $0.key == key }
    variants.append(Variant(key: key, entry: entry))
    if variants.count > Self.mostVariants { variants.removeFirst() }
    set(variants, of: url)
    return true
  }

  func isCurrent(_ url: String, asOf asked: Int) -> Bool {
    asked >= removalOfAll && asked >= removals[url] ?? 0
  }

  mutating func remove(_ url: String, _ key: String) {
    guard var variants = urls.peek(url) else { return }
    variants.removeAll { $0.key == key }
    if variants.isEmpty { urls.remove(url) } else { set(variants, of: url) }
  }

  private mutating func set(_ variants: [Variant], of url: String) {
    urls.set(url, variants, cost: variants.reduce(url.utf8.count + 64) { $0 + $1.entry.cost })
  }

  mutating func removeAll(of url: String) {
    urls.remove(url)
    moment += 1
    if removals.count >= Self.mostRemovals {
      removals = [:]
      removalOfAll = moment
    }
    removals[url] = moment
  }

  mutating func removeAll() {
    urls.removeAll()
    moment += 1
    removals = [:]
    removalOfAll = moment
  }
}
