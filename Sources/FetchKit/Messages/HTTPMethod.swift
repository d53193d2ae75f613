/// The method of an HTTP request. Common methods are static properties. You can create any other method from its name.
///
/// Methods are case-sensitive (RFC 9110 §9.1). If the name of a method is not a valid token, a request with this method
/// fails without being sent.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable {
  /// The name of the method, as it is sent to the server.
  public let rawValue: String

  /// Creates a method with the given name. The name is validated only when a request is sent.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Requests a resource.
  public static let get = HTTPMethod(rawValue: "GET")
  /// Requests the same response as ``get``, but without the body.
  public static let head = HTTPMethod(rawValue: "HEAD")
  /// Sends data for a resource to process. This method is neither safe nor idempotent.
  public static let post = HTTPMethod(rawValue: "POST")
  /// Replaces a resource.
  public static let put = HTTPMethod(rawValue: "PUT")
  /// Changes part of a resource. This method is neither safe nor idempotent (RFC 5789).
  public static let patch = HTTPMethod(rawValue: "PATCH")
  /// Removes a resource.
  public static let delete = HTTPMethod(rawValue: "DELETE")
  /// Requests the communication options that a resource supports.
  public static let options = HTTPMethod(rawValue: "OPTIONS")
  /// Asks the server to return the request as it was received.
  public static let trace = HTTPMethod(rawValue: "TRACE")

  /// Whether the method is safe (RFC 9110 §9.2.1). A safe method only reads data.
  public var isSafe: Bool {
    [.get, .head, .options, .trace].contains(self)
  }

  /// Whether the method is idempotent (RFC 9110 §9.2.2). If true, sending a request twice has the same effect as
  /// sending it once.
  public var isIdempotent: Bool {
    isSafe || self == .put || self == .delete
  }
}

extension HTTPMethod: ExpressibleByStringLiteral, CustomStringConvertible {
  /// Creates a method with the given name.
  public init(stringLiteral value: String) {
    self.init(rawValue: value)
  }

  /// The name.
  public var description: String { rawValue }
}
