/// The result of a conditional fetch.
public enum ConditionalResult<Value: Sendable>: Sendable {
  /// A new value, and the version to compare with in the next fetch.
  case changed(Value, ResourceVersion)
  /// The resource has not changed. The version contains the validators that the server currently reports.
  case unchanged(ResourceVersion)

  /// The result as a ``Refresh/Change``.
  public var change: Refresh.Change {
    switch self {
    case .changed: .changed
    case .unchanged: .unchanged
    }
  }

  /// The version to compare with in the next fetch.
  public var version: ResourceVersion {
    switch self {
    case .changed(_, let version), .unchanged(let version): version
    }
  }
}

extension ConditionalResult: Equatable where Value: Equatable {}
