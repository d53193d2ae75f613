/// What a conditional fetch found.
public enum ConditionalResult<Value: Sendable>: Sendable {
  /// Something new, and the version to compare with the next time.
  case changed(Value, ResourceVersion)
  /// The same as before; with what the server now says of its version.
  case unchanged(ResourceVersion)

  /// The same in the terms of a ``Refresh``.
  public var change: Refresh.Change {
    switch self {
    case .changed: .changed
    case .unchanged: .unchanged
    }
  }

  /// The version to compare with the next time.
  public var version: ResourceVersion {
    switch self {
    case .changed(_, let version), .unchanged(let version): version
    }
  }
}

extension ConditionalResult: Equatable where Value: Equatable {}
