public import Decoding
import Foundation

extension NestedDecoder {
  /// Returns a string, or a number as a string. The result is nil if the value is missing, null or blank.
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
  /// Whether the string contains only whitespace and unprintable characters, so that nothing of it is visible.
  public var isBlank: Bool { TextLayout.printable(self).allSatisfy(\.isWhitespace) }
}
