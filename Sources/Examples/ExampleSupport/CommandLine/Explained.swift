import Decoding
import FetchKit
import Foundation
import Persistence

/// An error whose description is the sentence to show to the user.
public protocol Explained: Error, CustomStringConvertible {}

extension Error {
  /// The sentence to show the user. If the program threw the error inside a `persist` closure or an extraction
  /// strategy, this is the program's own sentence, without the context that the library adds. If a service explained
  /// the error, the sentence contains the service's explanation.
  public var sentence: String {
    switch self as any Error {
    case PersistenceError.body(let cause): cause.sentence
    case FetchError.extraction(let cause as any Explained, _): cause.description
    case FetchError.extraction(let cause as LocatedDecodingError, _): cause.sentence
    case FetchError.status(let failure, let context):
      if let message = ServiceMessage.find(in: failure.body) {
        "the service says: \(message) (status \(failure.status))"
      } else {
        "the server answered with status \(failure.status)"
          + (context.attempts.count > 1 ? ", after \(context.attempts.count) attempts" : "")
      }
    case FetchError.connection(_, let context), FetchError.timeout(_, let context):
      "no answer from \(URL(string: context.url)?.host() ?? "the server"): \("\(self)".dropFirst(context.prefix.count))"
    case let failure as LocatedDecodingError: "the server's response could not be understood: \(failure)"
    default: "\(self)"
    }
  }
}

extension FetchError.Context {
  /// The start of a description: the request, which is not useful to a user.
  fileprivate var prefix: String { url.isEmpty ? "\(method.rawValue): " : "\(method.rawValue) \(url): " }
}
