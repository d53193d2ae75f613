/// What a remote can do.
package struct RemoteCapabilities: Hashable, Sendable {
  package enum Batch: Hashable, Sendable {
    /// One row a request.
    case one
    /// Several rows a request, each with an outcome of its own.
    case many(Int)
    /// Several rows a request, all of which take effect or none.
    case atomic(Int)

    package var limit: Int {
      switch self {
      case .one: 1
      case .many(let limit), .atomic(let limit): max(1, limit)
      }
    }

    package var isAtomic: Bool { if case .atomic = self { true } else { false } }
  }

  package enum Versions: Hashable, Sendable {
    case none
    /// A version only says whether a row is the same, as an ETag does.
    case opaque
    /// The greater version is the newer one.
    case ordered
  }

  package var batch = Batch.one
  package var versions = Versions.none
  /// Whether a change names the version that it is based on, and is refused if the row has another one.
  package var comparesVersions = false
  /// Whether changes send the whole row.
  package var sendsWholeRows = false
  /// Whether rows can be read by their keys.
  package var fetchesRows = false
  /// The number of pushes at a time.
  package var pushes = 1

  package init() {}
}
