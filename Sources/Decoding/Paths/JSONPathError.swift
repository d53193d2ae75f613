public import Foundation

/// Says what is wrong with the text of a ``JSONPath``, and in which column.
public struct JSONPathError: Error, Hashable, Sendable {
  /// The text that is not a path, as it was given; of one with more than 1000 characters the part around the column.
  public let path: String

  /// Where the trouble is: the number of the character (Unicode scalar) in the text, from 1.
  public let column: Int

  /// What is wrong there, in words.
  public let reason: String

  /// What ``description`` shows of the text.
  private let excerpt: String

  init(path: String, column: Int, reason: String) {
    self.column = column
    self.reason = reason
    excerpt = path.excerpt(around: column - 1, reach: 60)
    self.path = path.utf8.count > 1000 ? path.excerpt(around: column - 1, reach: 500) : path
  }
}

extension JSONPathError: LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }
}

extension JSONPathError: CustomStringConvertible {
  /// The reason, the column and the text: `not a path, column 9 of "results[01]": an index has no leading zero`.
  ///
  /// Of a long text it shows what is around the column.
  public var description: String { "not a path, column \(column) of \"\(excerpt)\": \(reason)" }
}

extension String {
  /// The characters around an offset, with an ellipsis for those that are left out on either side.
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
