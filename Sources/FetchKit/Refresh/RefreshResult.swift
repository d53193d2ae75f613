/// What a refresh came to, in the three words that background launches ask for.
public enum RefreshResult: String, Sendable, Hashable, Codable {
  /// Something changed, whatever else happened.
  case newData
  /// Everything was looked at, and nothing changed; also when there was nothing to look at.
  case noData
  /// Nothing changed as far as is known, but not everything could be looked at: an item failed or was cancelled, or the
  /// list of items could not be read.
  case failed
}
