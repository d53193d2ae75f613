/// Decides which commits make a value that was read outdated. It has no side effects.
///
/// Commits arrive in order, but possibly long after a read has seen them.
struct ReadProgress {
  private enum Phase {
    /// Nothing was read yet, or a commit has changed what was read.
    case outdated
    case reading
    /// The value is that of the commit `seen`, and depends on the region.
    case current(ReadRegion, seen: UInt64)
    /// Reading failed. The next commit is a reason to try again.
    case failed
  }

  private var phase = Phase.outdated
  /// The commits that arrived during the current read.
  private var arrived: [Commit] = []
  /// The number of commits during a read above which they are not examined.
  private static let limit = 64

  /// Returns true if the value is outdated. The caller must then read it, and call ``finish(seen:_:)`` or ``fail()``.
  mutating func beginIfOutdated() -> Bool {
    guard case .outdated = phase else { return false }
    phase = .reading
    arrived = []
    return true
  }

  /// Returns whether the value has become outdated.
  mutating func receive(_ commit: Commit) -> Bool {
    switch phase {
    case .outdated: return false
    case .reading:
      if arrived.count <= Self.limit { arrived.append(commit) }
      return false
    case .current(let region, let seen):
      guard commit.number > seen, region.isAffected(by: commit.changes) else { return false }
    case .failed: break
    }
    phase = .outdated
    return true
  }

  /// - Parameter seen: The number of the last commit that the read has seen.
  mutating func finish(seen: UInt64, _ region: ReadRegion) {
    let isOutdated =
      arrived.count > Self.limit || arrived.contains { $0.number > seen && region.isAffected(by: $0.changes) }
    phase = isOutdated ? .outdated : .current(region, seen: seen)
    arrived = []
  }

  /// Returns whether to try again, because commits have arrived during the read. If not, the next commit makes the
  /// value outdated.
  mutating func fail() -> Bool {
    let isOutdated = !arrived.isEmpty
    phase = isOutdated ? .outdated : .failed
    arrived = []
    return isOutdated
  }
}
