#if canImport(SwiftUI)
public import Persistence
public import SwiftUI

/// A value that a closure reads from the store, and that follows the store.
///
/// ```swift
/// @FetchedValue({ try $0.count(Story.self, where: { !$0.isRead }) }) var unread = 0
/// ```
///
/// The closure is run before the view's first frame, on the main thread, and again, on another, after each commit that
/// may have changed its value: see `LiveValues`. If it fails, the value stays as it is, and is read again after the
/// next commit.
@MainActor @propertyWrapper public struct FetchedValue<Value: Sendable & Equatable>: @preconcurrency DynamicProperty {
  @Environment(\.persistentContainer) private var container
  @State private var followed: FollowedValue<Value>

  /// Creates a value.
  ///
  /// - Parameters:
  ///   - wrappedValue: The value until the store could be read.
  ///   - read: Reads the value. Must not capture what changes with the view.
  public init(wrappedValue: Value, _ read: @escaping @Sendable (ObjectSpace) throws -> Value) {
    _followed = State(wrappedValue: FollowedValue(wrappedValue, read))
  }

  /// The value.
  public var wrappedValue: Value { followed.value }

  /// The error of the latest attempt to read the value, or nil if it succeeded.
  public var projectedValue: PersistenceError? { followed.failure }

  /// Called by SwiftUI before the view's body.
  public mutating func update() {
    if let container { followed.follow(in: container) }
  }
}
#endif
