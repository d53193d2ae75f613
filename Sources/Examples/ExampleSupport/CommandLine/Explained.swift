import Decoding
import FetchKit
import Foundation
import Persistence

/// An error of a program's own, whose description is the sentence that its user should read.
public protocol Explained: Error, CustomStringConvertible {}

extension Error {
  /// What to say to a person: where the program itself threw inside a `persist` or a strategy, its own sentence and not
  /// the library's around it; where a service said why, its words.
  public var sentence: String {
    switch self as any Error {
    case PersistenceError.body(let cause): cause.sentence
    case FetchError.extraction(let cause as any Explained, _): cause.description
    case FetchError.extraction(let cause as DecodingFailure, _): cause.sentence
    case FetchError.status(let failure, let context):
      if let message = ServiceMessage.find(in: failure.body) {
        "the service says: \(message) (status \(failure.status))"
      } else {
        "the server answered with status \(failure.status)"
          + (context.attempts.count > 1 ? ", after \(context.attempts.count) attempts" : "")
      }
    case FetchError.connection(_, let context), FetchError.timeout(_, let context):
      "no answer from \(URL(string: context.url)?.host() ?? "the server"): \("\(self)".dropFirst(context.prefix.count))"
    case let failure as DecodingFailure: "the server's answer could not be understood: \(failure)"
    default: "\(self)"
    }
  }
}

extension FetchError.Context {
  /// What a description begins with: the request, which means little to a person.
  fileprivate var prefix: String { url.isEmpty ? "\(method.rawValue): " : "\(method.rawValue) \(url): " }
}
