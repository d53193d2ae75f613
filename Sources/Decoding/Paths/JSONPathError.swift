public import Foundation

/// Says what is wrong with the text of a ``JSONPath``, and in which column.
public struct JSONPathError: Error, Hashable, Sendable {
  /// The text that is not a path, as it was given.
  public let path: String

  /// Where the trouble is: the number of the character (Unicode scalar) in ``path``, from 1.
  public let column: Int

  /// What is wrong there, in words.
  public let reason: String
}

extension JSONPathError: LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }
}

extension JSONPathError: CustomStringConvertible {
  /// The reason, the column and the text: `not a path, column 9 of "results[01]": an index has no leading zero`.
  ///
  /// Of a long text it shows what is around the column.
  public var description: String { "not a path, column \(column) of \"\(shownPath)\": \(reason)" }

  private var shownPath: String {
    let reach = 60
    let scalars = path.unicodeScalars
    func index(_ offset: Int) -> String.Index {
      scalars.index(scalars.startIndex, offsetBy: max(offset, 0), limitedBy: scalars.endIndex) ?? scalars.endIndex
    }
    let (start, end) = (index(column - 1 - reach), index(column - 1 + reach))
    let head = start > scalars.startIndex ? "…" : ""
    return "\(head)\(String(scalars[start..<end]))\(end < scalars.endIndex ? "…" : "")"
  }
}
