/// A kind of operation of which one is at work at a time.
///
/// ```swift
/// extension OperationCategory { static let library: Self = "library" }
/// queue.addOperation(tidy, exclusively: .library)
/// queue.addOperation(reload, exclusively: .library, "network")     // waits until `tidy` has ended
/// ```
public struct OperationCategory: RawRepresentable, ExpressibleByStringLiteral, Hashable, Sendable {
  /// The name; the same name is the same category, whichever queue.
  public let rawValue: String

  /// A category by its name.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// A category by its name.
  public init(stringLiteral value: String) {
    rawValue = value
  }
}
