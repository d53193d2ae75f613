public import Decoding
import Foundation

extension NestedDecoder {
  /// A string, or a number as a string; nil if it is missing, null or blank.
  public func words(at path: JSONPath) throws -> String? {
    try decodeIfPresent(at: path, as: .stringOrNumber).flatMap { $0.isBlank ? nil : $0 }
  }
}

extension FieldStrategy where Value == String {
  /// A string, or a number as a string, that is not blank.
  public static var words: FieldStrategy {
    FieldStrategy { container in
      let text = try FieldStrategy.stringOrNumber.decode(from: container)
      guard !text.isBlank else {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "Expected nonempty text.")
      }
      return text
    }
  }
}

extension String {
  /// Whether nothing of the string is visible: it contains only whitespace and unprintable characters.
  public var isBlank: Bool { TextLayout.printable(self).allSatisfy(\.isWhitespace) }
}
