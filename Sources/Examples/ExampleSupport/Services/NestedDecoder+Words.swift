public import Decoding
import Foundation

extension NestedDecoder {
  /// Decodes the string or the number at a path, and returns it as a string. The result is nil if the value is missing,
  /// null or blank.
  public func words(at path: JSONPath) throws -> String? {
    try decodeIfPresent(at: path, as: .stringOrNumber).flatMap { $0.isBlank ? nil : $0 }
  }
}

extension FieldStrategy where Value == String {
  /// A strategy that decodes a string or a number as a string and throws an error if the string is blank.
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
  /// Whether the string is empty or contains only whitespace and unprintable characters.
  public var isBlank: Bool { TextLayout.printable(self).allSatisfy(\.isWhitespace) }
}
