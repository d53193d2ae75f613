import FetchKit
import Persistence

/// An error of a program's own, whose description is the sentence that its user should read.
public protocol Explained: Error, CustomStringConvertible {}

extension Error {
  /// What to tell a person: where the program itself threw inside a `persist` or a strategy, its own sentence and not the
  /// library's around it.
  public var sentence: String {
    switch self as any Error {
    case PersistenceError.body(let cause): cause.sentence
    case FetchError.extraction(let cause as any Explained, _): cause.description
    default: "\(self)"
    }
  }
}
