public import Foundation

/// Reports that a JSON object has members that the Swift type does not decode. The error is thrown as the underlying
/// error of a `DecodingError`.
///
/// <doc:WhenSomethingGoesWrong> explains how to handle this error.
public struct UnknownMembersError: Error, Hashable {
  /// The names of the unexpected members, sorted.
  public let names: [String]

  /// The names of the members that the type decodes, sorted.
  public let known: [String]
}

extension UnknownMembersError: CustomStringConvertible, LocalizedError {
  /// A description that lists the names of the expected and the unexpected members, at most twelve of each.
  public var description: String { "expected \(expected), found \(found)" }

  var expected: String { known.isEmpty ? "no members" : "no members other than \(Self.list(known))" }

  var found: String { Self.list(names) }

  private static func list(_ names: [String]) -> String {
    let limit = 12
    return names.prefix(limit).map { "`\($0.prefix(80))`" }.joined(separator: ", ") + (names.count > limit ? ", …" : "")
  }

  /// The same text as ``description``.
  public var errorDescription: String? { description }
}
