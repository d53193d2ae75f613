/// The method of an HTTP request: an open set, with the registered ones as static members.
///
/// Methods are case-sensitive (RFC 9110 §9.1). A name that is not a token is refused when the request is sent.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable {
  /// The name as it goes over the wire.
  public let rawValue: String

  /// Takes any name; whether it is a token is checked when a request with it is sent.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Reads a resource.
  public static let get = HTTPMethod(rawValue: "GET")
  /// Reads what `get` would answer, without its body.
  public static let head = HTTPMethod(rawValue: "HEAD")
  /// Hands something to a resource to process; neither safe nor idempotent.
  public static let post = HTTPMethod(rawValue: "POST")
  /// Puts a resource in place of the one there.
  public static let put = HTTPMethod(rawValue: "PUT")
  /// Changes a part of a resource; neither safe nor idempotent (RFC 5789).
  public static let patch = HTTPMethod(rawValue: "PATCH")
  /// Removes a resource.
  public static let delete = HTTPMethod(rawValue: "DELETE")
  /// Asks what a resource allows.
  public static let options = HTTPMethod(rawValue: "OPTIONS")
  /// Asks for an echo of the request.
  public static let trace = HTTPMethod(rawValue: "TRACE")

  /// Whether the method only reads (RFC 9110 §9.2.1).
  public var isSafe: Bool {
    [.get, .head, .options, .trace].contains(self)
  }

  /// Whether sending it twice does what sending it once does (RFC 9110 §9.2.2).
  public var isIdempotent: Bool {
    isSafe || self == .put || self == .delete
  }
}

extension HTTPMethod: ExpressibleByStringLiteral, CustomStringConvertible {
  /// A method by its name.
  public init(stringLiteral value: String) {
    self.init(rawValue: value)
  }

  /// The name.
  public var description: String { rawValue }
}
