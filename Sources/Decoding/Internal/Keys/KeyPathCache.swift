/// Parsed raw values of coding keys, which are the same few texts again and again.
final class KeyPathCache: Sendable {
  static let shared = KeyPathCache()

  /// Raw values could be made at run time; beyond so many they are parsed each time.
  private static let limit = 10_000

  /// The path of a key, and what is left of it behind its first name.
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
