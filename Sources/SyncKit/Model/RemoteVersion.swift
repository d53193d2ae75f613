/// Which state of an object a server has, as the server says it.
public enum RemoteVersion: Hashable, Sendable {
  /// A number that grows with every change, such as a revision or the time of a server's own clock.
  case ordered(Int64)
  /// A text that is different after every change, such as an ETag.
  case opaque(String)

  /// Whether this is the version of an older state. Nil if versions say nothing about that.
  package func isOlder(than other: RemoteVersion?) -> Bool? {
    guard case .ordered(let mine) = self, case .ordered(let theirs)? = other else { return nil }
    return mine < theirs
  }
}
