/// A place in a document.
public struct SourcePosition: Hashable, Sendable {
  /// The number of bytes before it.
  public let offset: Int

  /// Its line, from 1; lines end with a line feed.
  public let line: Int

  /// Its column in that line, from 1, in characters (Unicode scalars).
  public let column: Int
}

extension SourcePosition: CustomStringConvertible {
  /// `line 3, column 14 (byte 57)`.
  public var description: String { "line \(line), column \(column) (byte \(offset))" }
}
