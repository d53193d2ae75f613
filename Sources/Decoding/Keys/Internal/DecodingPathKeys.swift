/// What a container of this module's decoder knows about keys that are paths: their paths, and where they have led in
/// the container's object.
final class DecodingPathKeys {
  // Each is used by one call at a time, as the container is, and never while a type's own code runs.
  @exclusivity(unchecked) private var table = KeyPathTable()
  @exclusivity(unchecked) private var navigator: FastPathNavigator
  @exclusivity(unchecked) private var turn: UInt32

  private init(_ navigator: FastPathNavigator, _ turn: UInt32) {
    (self.navigator, self.turn) = (navigator, turn)
  }

  /// Returns those of a container; nil if the object cannot be read any more.
  @inline(__always)
  static func of(_ anchor: DecodingAnchor) -> DecodingPathKeys? {
    guard let paths = anchor.paths else { return make(anchor) }
    let keys = unsafeDowncast(paths, to: DecodingPathKeys.self)
    if keys.turn != anchor.turn {
      guard keys.navigator.restart(anchor.decoder) else { return nil }
      keys.turn = anchor.turn
    }
    return keys
  }

  @inline(never)
  private static func make(_ anchor: DecodingAnchor) -> DecodingPathKeys? {
    let keys = FastPathNavigator(anchor.decoder).map { DecodingPathKeys($0, anchor.turn) }
    anchor.paths = keys
    return keys
  }

  @inline(__always)
  func place(of key: some NestedCodingKey) -> FastPathNavigator.Place {
    let entry = table.entry(for: key)
    return entry.alternatives.isEmpty ? navigator.place(of: entry.path) : firstPlace(of: entry.alternatives)
  }

  private func firstPlace(of paths: [CompiledPath]) -> FastPathNavigator.Place {
    for path in paths {
      let place = navigator.place(of: path)
      if case .absent = place { continue }
      return place
    }
    return .absent
  }
}
