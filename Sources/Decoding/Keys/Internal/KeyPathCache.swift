/// A cache of the parsed raw values of coding keys, which are the same few strings every time.
final class KeyPathCache: Sendable {
  static let shared = KeyPathCache()

  /// The limit of the cache, because raw values may be created at run time; others are parsed each time.
  private static let limit = 10_000

  /// The path of a key, and its remainder after the first name.
  struct Entry {
    let path: CompiledPath
    let behindFirstName: CompiledPath
  }

  private let entries = Lock<[String: Entry]>([:])

  func entry(for text: String) -> Entry {
    if let known = entries.withLock({ $0[text] }) { return known }
    let path = CompiledPath.parse(text)
    let entry = Entry(path: path, behindFirstName: CompiledPath(segments: Array(path.segments.dropFirst())))
    entries.withLock { if $0.count < Self.limit { $0[text] = entry } }
    return entry
  }
}
