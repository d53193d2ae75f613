/// Why the body of a response is not text.
public enum TextFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The `Content-Type` names a character set that is not known here.
  case unknownCharset(String)
  /// The bytes are not text in that character set.
  case invalidBytes(charset: String)

  /// A sentence fit for a log.
  public var description: String {
    switch self {
    case .unknownCharset(let name): "the character set \(name.prefix(40)) is not known"
    case .invalidBytes(let charset): "the bytes are not \(charset) text"
    }
  }
}
