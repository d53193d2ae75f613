/// The reason why a response body could not be decoded as text.
///
/// <doc:WhenSomethingGoesWrong> lists the cause of each case and explains how to handle it.
public enum TextDecodingError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The `Content-Type` field of the response specifies a character set that is not supported.
  case unknownCharset(String)
  /// The response body is not valid text in the associated character set.
  case invalidBytes(charset: String)

  /// A one-line description for logs.
  public var description: String {
    switch self {
    case .unknownCharset(let name): "the character set \(name.prefix(40)) is not supported"
    case .invalidBytes(let charset): "the bytes are not \(charset) text"
    }
  }
}
