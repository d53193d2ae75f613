public import Foundation

/// One redirect that was followed.
public struct Redirect: Sendable, Hashable {
  /// The status code of the redirect.
  public var status: Int
  /// The URL that was requested.
  public var from: URL
  /// The URL that the redirect leads to.
  public var to: URL
  /// The method of the request that followed the redirect.
  public var method: HTTPMethod

  /// Creates a redirect from its parts.
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

  /// The same text as ``description``, so that `dump` reveals nothing more.
  public var customMirror: Mirror { Mirror(self, children: ["redirect": description]) }
}
