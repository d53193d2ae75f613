/// What a container of this module's encoder knows about keys that are paths: their paths, and the object that the last
/// one led to, which remains open.
final class EncodingPathKeys {
  @exclusivity(unchecked) private var table = KeyPathTable()
  @exclusivity(unchecked) private var prefix: PathPrefix?
  @exclusivity(unchecked) private var place: ContainerPlace?
  /// The object from which the place was reached.
  @exclusivity(unchecked) private var base: UInt32 = 0

  @inline(__always)
  static func of(_ anchor: EncodingAnchor) -> EncodingPathKeys {
    if let paths = anchor.paths { return unsafeDowncast(paths, to: EncodingPathKeys.self) }
    let keys = EncodingPathKeys()
    anchor.paths = keys
    return keys
  }

  @inline(__always)
  func entry(for key: some NestedCodingKey) -> KeyPathCache.Entry { table.entry(for: key) }

  /// Returns the object that a path leads to from the container's object; nil if the path does not consist of names.
  @inline(__always)
  func object(_ entry: KeyPathCache.Entry, _ anchor: EncodingAnchor) -> ContainerPlace? {
    if let prefix, prefix === entry.prefix, let place, base == anchor.number, place.isTop { return place }
    return open(entry, anchor)
  }

  @inline(never)
  private func open(_ entry: KeyPathCache.Entry, _ anchor: EncodingAnchor) -> ContainerPlace? {
    guard let prefix = entry.prefix, let names = prefix.names else { return nil }
    // A key strategy gets the key itself.
    if names.isEmpty, anchor.state.shared.convertsKeys { return nil }
    let place = names.reduce(anchor.place) { $0.nested($1, isObject: true) }
    (self.prefix, self.place, base) = (prefix, place, anchor.number)
    return place
  }
}
