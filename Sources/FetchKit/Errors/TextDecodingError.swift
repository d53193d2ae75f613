/// The reason why a response body could not be decoded as text.
///
/// <doc:WhenSomethingGoesWrong> lists the cause of each case and explains how to handle it.
public enum TextDecodingError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The `Content-Type` field specifies an unsupported character set.
  case unknownCharset(String)
  /// The bytes are not valid text in that character set.
  case invalidBytes(charset: String)

  /// A one-line description for logs.
  public var description: String {
    switch self {
    case .unknownCharset(let name): "the character set \(name.prefix(40)) is not supported"
    case .invalidBytes(let charset): "the bytes are not \(charset) text"
    }
  }
}
