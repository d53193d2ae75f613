public import Decoding
import Foundation

extension NestedDecoder {
  /// A text, or a number as text; nil where it is missing or null, or says nothing.
  public func words(at path: JSONPath) throws -> String? {
    try decodeIfPresent(at: path, as: .textOrNumber).flatMap { $0.isBlank ? nil : $0 }
  }
}

extension FieldStrategy where Value == String {
  /// A text, or a number as text, that says something.
  public static var words: FieldStrategy {
    FieldStrategy { container in
      let text = try FieldStrategy.textOrNumber.decode(from: container)
      guard !text.isBlank else {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "Expected a text that is not empty.")
      }
      return text
    }
  }
}

extension String {
  /// Whether nothing of it is seen: space, and what is never printed.
  public var isBlank: Bool { TextLayout.printable(self).allSatisfy(\.isWhitespace) }
}
