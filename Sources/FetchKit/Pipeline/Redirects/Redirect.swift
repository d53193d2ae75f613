public import Foundation

/// One redirect that was followed.
public struct Redirect: Sendable, Hashable {
  /// The status that asked for it.
  public var status: Int
  /// The URL that was asked.
  public var from: URL
  /// The URL it led to.
  public var to: URL
  /// The method of the request that followed.
  public var method: HTTPMethod

  /// A redirect from its parts.
  public init(status: Int, from: URL, to: URL, method: HTTPMethod) {
    self.status = status
    self.from = from
    self.to = to
    self.method = method
  }
}

extension Redirect: CustomStringConvertible, CustomReflectable {
  /// Status, both URLs without their queries' values, and method.
  public var description: String {
    "\(status) from \(Redactor.textWithoutQuery(of: from)) to \(method) \(Redactor.textWithoutQuery(of: to))"
  }

  /// Shows what ``description`` shows, so that `dump` gives away no more.
  public var customMirror: Mirror { Mirror(self, children: ["redirect": description]) }
}
