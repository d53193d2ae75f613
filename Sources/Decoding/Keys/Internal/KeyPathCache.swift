/// A cache of the parsed raw values of coding keys, which are the same few strings every time.
final class KeyPathCache: Sendable {
  static let shared = KeyPathCache()

  /// The limit of the cache, because raw values may be created at run time; others are parsed each time.
  private static let limit = 10_000

  /// The path of a key.
  final class Entry: Sendable {
    let path: CompiledPath
    /// The first name; the raw value if the path does not begin with a name.
    let first: AnyKey
    let behindFirstName: CompiledPath
    /// The names after the first one, if the path consists of names.
    let names: [AnyKey]?
    let decoding = AnchorFinder<DecodingAnchor>()
    let encoding = AnchorFinder<EncodingAnchor>()

    init(_ text: String) {
      let path = CompiledPath.parse(text, isKey: true)
      self.path = path
      behindFirstName = CompiledPath(segments: Array(path.segments.dropFirst()))
      first =
        if case .name(let name)? = path.prefixSteps.first { AnyKey(stringValue: name.text) } else {
          AnyKey(stringValue: text)
        }
      let names = (path.steps ?? []).compactMap {
        if case .name(let name) = $0 { AnyKey(stringValue: name.text) } else { nil }
      }
      let isNames = path.error == nil && !names.isEmpty && names.count == path.segments.count
      self.names = isNames ? Array(names.dropFirst()) : nil
    }
  }

  private let entries = Lock<[AnyKey: Entry]>([:])

  func entry(for text: String) -> Entry {
    let key = AnyKey(stringValue: text)
    if let known = entries.withLock({ $0[key] }) { return known }
    let entry = Entry(text)
    entries.withLock { if $0.count < Self.limit { $0[key] = entry } }
    return entry
  }
}
