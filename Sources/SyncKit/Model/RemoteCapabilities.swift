/// What an API can do. The default is an API without any ability: one object a request, and nothing to compare.
public struct RemoteCapabilities: Hashable, Sendable {
  /// How many objects a request can change.
  public enum Batch: Hashable, Sendable {
    /// One object a request.
    case one
    /// Up to a number of objects a request, each with an outcome of its own.
    case many(Int)
    /// Up to a number of objects a request, all of which take effect or none. Only then what was changed in one
    /// `persist` arrives as a whole.
    case atomic(Int)

    package var limit: Int {
      switch self {
      case .one: 1
      case .many(let limit), .atomic(let limit): max(1, limit)
      }
    }

    package var isAtomic: Bool { if case .atomic = self { true } else { false } }
  }

  /// What the versions of objects say.
  public enum Versions: Hashable, Sendable {
    /// There are none.
    case none
    /// A version only says whether an object is the same, as an ETag does.
    case opaque
    /// The greater version is the newer one.
    case ordered
  }

  /// How many objects a request can change.
  public var batch = Batch.one
  /// What the versions of objects say. With ordered ones, an older state never replaces a newer one.
  public var versions = Versions.none
  /// Whether a change names the version that it is based on, and is refused if the object has another one. Otherwise
  /// the last write wins.
  public var comparesVersions = false
  /// Whether changes send all attributes, as `PUT` does. Otherwise only those that were changed.
  public var sendsWholeRows = false
  /// Whether objects can be read by their keys, see ``SyncRemote/fetch(_:)``.
  public var fetchesRows = false
  /// Whether the server performs a command once, however often it receives it with the same
  /// ``SyncCommandRequest/idempotencyKey``. Otherwise a command without an answer is *unconfirmed*, and not sent again
  /// unless the app says so.
  public var recognizesCommands = false
  /// The number of pushes at a time, at least one.
  public var pushes = 1 { didSet { pushes = max(1, pushes) } }

  /// Creates the capabilities of an API without any ability.
  public init() {}
}
