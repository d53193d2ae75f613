/// The result of a conditional fetch.
public enum ConditionalResult<Value: Sendable>: Sendable {
  /// The resource has changed. The associated values are the new value and the version to pass to the next fetch.
  case changed(Value, ResourceVersion)
  /// The resource has not changed. The associated version contains the current `ETag` and `Last-Modified` values of the
  /// resource.
  case unchanged(ResourceVersion)

  /// Whether the resource has changed, as a ``Refresh/Change``.
  public var change: Refresh.Change {
    switch self {
    case .changed: .changed
    case .unchanged: .unchanged
    }
  }

  /// The version to pass to the next fetch.
  public var version: ResourceVersion {
    switch self {
    case .changed(_, let version), .unchanged(let version): version
    }
  }
}

extension ConditionalResult: Equatable where Value: Equatable {}
