public import Foundation

/// A redirect that was followed.
public struct Redirect: Sendable, Hashable {
  /// The status code of the redirect.
  public var status: Int
  /// The URL of the request that was redirected.
  public var from: URL
  /// The URL to which the request was redirected.
  public var to: URL
  /// The method of the request to the new URL.
  public var method: HTTPMethod

  /// Creates a redirect with the given status code, URLs and method.
  public init(status: Int, from: URL, to: URL, method: HTTPMethod) {
    self.status = status
    self.from = from
    self.to = to
    self.method = method
  }
}

extension Redirect: CustomStringConvertible, CustomReflectable {
  /// The status code, both URLs without their query values, and the method.
  public var description: String {
    "\(status) from \(Redactor.textWithoutQuery(of: from)) to \(method) \(Redactor.textWithoutQuery(of: to))"
  }

  /// A mirror that contains only the text of ``description``, so that `dump` does not reveal query values.
  public var customMirror: Mirror { Mirror(self, children: ["redirect": description]) }
}
