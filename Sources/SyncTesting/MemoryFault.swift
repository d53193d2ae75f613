internal import SyncKit

/// How requests to a ``MemoryAPI`` fail.
public enum MemoryFault: Hashable, Sendable {
  /// The request does not arrive. The engine does not know that.
  case lost
  /// The request takes effect, and its answer does not arrive.
  case answerLost
  /// The request takes effect, and its answer waits for ``MemoryAPI/release()``. If the engine is stopped before, it is
  /// as if the process had ended: what was sent is settled after the next start.
  case held
  /// The server is busy, as with 429 or 503, and says when it is not, or does not say it.
  case busy(milliseconds: Int64? = nil)
  /// The user is signed out: 401.
  case signedOut
  /// A page with nothing in it, which says that the API has no objects. Requests that do not read a list are lost.
  case emptyPage
  /// The API does not know where its list continues, as if a token had expired. Requests that do not read a list are
  /// lost.
  case unknownPosition
  /// The server does not take the values or the command, for this reason: 422. Requests that only read are lost.
  case rejected(String)
}

extension MemoryFault {
  /// With what a request fails that has no effect.
  func failure(of request: MemoryRequest) -> RemoteFailure? {
    switch self {
    case .lost: .unknown
    case .busy(let time): .later(time)
    case .signedOut: .unauthorized
    case .emptyPage, .unknownPosition: request == .pull ? nil : .unknown
    case .rejected: request == .push || request == .perform ? nil : .unknown
    case .answerLost, .held: nil
    }
  }
}

/// A kind of request to a ``MemoryAPI``.
public enum MemoryRequest: Hashable, Sendable, CaseIterable {
  /// A page of a list: `pull(_:after:)`.
  case pull
  /// Changes: `push(_:_:)`.
  case push
  /// Objects by their keys: `fetch(_:)`.
  case fetch
  /// A look for what may have been created: `find(_:)`.
  case find
  /// A command: `perform(_:)`.
  case perform
}

/// What ``MemoryAPI`` throws instead of an answer.
struct MemoryFailure: Error, CustomStringConvertible {
  let failure: RemoteFailure

  var description: String {
    switch failure {
    case .unknown: "there was no answer"
    case .later: "the server is busy"
    case .unauthorized: "the user is signed out"
    }
  }
}
