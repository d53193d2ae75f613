/// A cache of the parsed raw values of coding keys, which are the same few strings every time.
final class KeyPathCache: Sendable {
  static let shared = KeyPathCache()

  /// The path of a key.
  final class Entry: Sendable {
    let path: CompiledPath
    /// If brackets have several names, the paths with one of them each, in order.
    let alternatives: [CompiledPath]
    /// The first name; the raw value if the path does not begin with a name.
    let first: AnyKey
    let behindFirstName: CompiledPath
    /// What leads to the object that has the value, if the path consists of names.
    let prefix: PathPrefix?
    let last: AnyKey

    init(_ text: String, prefix: ([PathStep]) -> PathPrefix) {
      path = CompiledPath.parse(text, isKey: true, prefix: prefix)
      alternatives = Self.alternatives(path.segments).map { CompiledPath(segments: $0, prefix: prefix) }
      let main = alternatives.first ?? path
      behindFirstName = CompiledPath(segments: Array(path.segments.dropFirst()))
      first =
        if case .name(let name)? = main.prefixSteps.first { AnyKey(stringValue: name.text) } else {
          AnyKey(stringValue: text)
        }
      self.prefix = main.place?.prefix.flatMap { $0.names == nil ? nil : $0 }
      last = main.place?.key ?? first
    }

    private static func alternatives(_ segments: [Segment]) -> [[Segment]] {
      var paths: [[Segment]] = [[]]
      for segment in segments {
        guard !segment.isDescendant, paths.count * segment.selectors.count <= 64 else { return [] }
        for case .wildcard in segment.selectors { return [] }
        for case .filter in segment.selectors { return [] }
        for case .slice in segment.selectors { return [] }
        paths = paths.flatMap { path in segment.selectors.map { path + [Segment(selectors: [$0])] } }
      }
      return paths.count > 1 ? paths : []
    }
  }

  private struct Known {
    var entries: [AnyKey: Entry] = [:]
    /// Keys share prefixes, so identity shows that two paths pass through the same object.
    var prefixes: [[PathStep]: PathPrefix] = [:]

    mutating func prefix(_ steps: [PathStep]) -> PathPrefix {
      if let known = prefixes[steps] { return known }
      let prefix = PathPrefix(steps)
      if prefixes.count < limit { prefixes[steps] = prefix }
      return prefix
    }
  }

  private let known = Lock(Known())

  func entry(for text: String) -> Entry {
    let key = AnyKey(stringValue: text)
    if let entry = known.withLock({ $0.entries[key] }) { return entry }
    let entry = Entry(text) { steps in known.withLock { $0.prefix(steps) } }
    known.withLock { if $0.entries.count < limit { $0.entries[key] = entry } }
    return entry
  }
}

/// The limit of the cache, because raw values may be created at run time; others are parsed each time.
private let limit = 10_000
