/// A position in a document.
public struct SourcePosition: Hashable, Sendable {
  /// The number of bytes before the position.
  public let offset: Int

  /// The line number, counting from 1. Every line feed starts a new line.
  public let line: Int

  /// The column number, counting Unicode scalars from 1.
  public let column: Int
}

extension SourcePosition: CustomStringConvertible {
  /// The position as text: `line 3, column 14 (byte 57)`.
  public var description: String { "line \(line), column \(column) (byte \(offset))" }
}
