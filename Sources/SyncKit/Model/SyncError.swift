/// What is wrong with how classes or a remote use the engine.
public enum SyncError: Error, Hashable, Sendable {
  /// A class cannot be synchronized as it was declared.
  case invalidClass(type: String, reason: String)
  /// The remote has passed something that does not fit the classes. Nothing of the page or outcome was applied.
  case invalidAnswer(type: String, reason: String)
  /// The remote does not implement ``SyncRemote/find(_:)``, although a class needs it.
  case cannotFind
  /// ``SyncRemote/pull(_:after:)`` throws it if the server does not know the position any more, such as a token that
  /// has expired: the list is read from the beginning.
  case unknownPosition
  /// Another engine drives the same store, in this process or in another one.
  case alreadyDriven
  /// The engine has to be started first.
  case notRunning
}

extension SyncError: CustomStringConvertible {
  /// A sentence that names the class.
  public var description: String {
    switch self {
    case .invalidClass(let type, let reason): "\(type) cannot be synchronized: \(reason)"
    case .invalidAnswer(let type, let reason): "the remote's answer about \(type) cannot be used: \(reason)"
    case .cannotFind: "a class is settled by find, and the remote has no find(_:)"
    case .unknownPosition: "the server does not know where the list continues"
    case .alreadyDriven: "another engine drives the store"
    case .notRunning: "the engine is not running"
    }
  }
}
