/// A category of operations that never run at the same time.
///
/// ```swift
/// extension OperationCategory { static let library: Self = "library" }
/// queue.addOperation(tidy, exclusively: .library)
/// // Waits until `tidy` has ended.
/// queue.addOperation(reload, exclusively: .library, "network")
/// ```
public struct OperationCategory: RawRepresentable, ExpressibleByStringLiteral, Hashable, Sendable {
  /// The name of the category. Two categories with the same name are the same category, even if they are used on
  /// different queues.
  public let rawValue: String

  /// Creates a category with the given name.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Creates a category with the given name.
  public init(stringLiteral value: String) {
    rawValue = value
  }
}
