public import Foundation

/// Describes the mistake in the text of a ``JSONPath`` and the column where it occurs.
///
/// <doc:WhenSomethingGoesWrong> lists common mistakes in paths.
public struct JSONPathError: Error, Hashable, Sendable {
  /// The invalid text. If the text is longer than 1000 bytes in UTF-8, only the part around ``column`` is stored.
  public let path: String

  /// The column of the error in the text, counting Unicode scalars from 1.
  public let column: Int

  /// A description of what is wrong at the column.
  public let reason: String

  /// The part of the text that ``description`` contains.
  private let excerpt: String

  init(path: String, column: Int, reason: String) {
    self.column = column
    self.reason = reason
    excerpt = path.excerpt(around: column - 1, reach: 60)
    self.path = path.utf8.count > 1000 ? path.excerpt(around: column - 1, reach: 500) : path
  }
}

extension JSONPathError: CustomStringConvertible, LocalizedError {
  /// A description with the column, text and reason:
  /// `invalid path at column 9 of "results[01]": an integer cannot have a leading zero`.
  ///
  /// If the text is long, the description contains only the part around the column.
  public var description: String { "invalid path at column \(column) of \"\(excerpt)\": \(reason)" }

  /// The same text as ``description``.
  public var errorDescription: String? { description }
}

extension String {
  /// Returns the characters around an offset, with an ellipsis for those omitted on either side.
  fileprivate func excerpt(around offset: Int, reach: Int) -> String {
    func index(_ offset: Int) -> String.Index {
      unicodeScalars.index(unicodeScalars.startIndex, offsetBy: max(offset, 0), limitedBy: unicodeScalars.endIndex)
        ?? unicodeScalars.endIndex
    }
    let (start, end) = (index(offset - reach), index(offset + reach))
    let head = start > unicodeScalars.startIndex ? "…" : ""
    return "\(head)\(String(unicodeScalars[start..<end]))\(end < unicodeScalars.endIndex ? "…" : "")"
  }
}
