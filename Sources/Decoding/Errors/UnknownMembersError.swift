public import Foundation

/// Says that an object has members that its type does not read; the underlying error of a `DecodingError`.
public struct UnknownMembersError: Error, Hashable {
  /// The names of those members, in order.
  public let names: [String]
}

extension UnknownMembersError: CustomStringConvertible {
  /// The names: `nothing reads the members a, b`.
  public var description: String { "nothing reads the members \(names.joined(separator: ", "))" }
}

extension UnknownMembersError: LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }
}
