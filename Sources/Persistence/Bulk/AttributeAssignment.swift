/// A change that ``ObjectSpace/update(_:where:set:)`` makes to one attribute of all matching objects.
///
/// ```swift
/// try objects.update(
///   Movie.self, where: { $0.year < 1930 }, set: [.set(\.isSilent, to: true)])
/// try objects.update(Show.self, set: [.increment(\.episodes, by: 1)])
/// ```
public struct AttributeAssignment<Object: ManagedObject> {
  enum Operation {
    case set(StoredValue)
    case increment(StoredValue, Kind)

    /// What limits the sums.
    enum Kind {
      /// Integers within a range.
      case integer(ClosedRange<Int64>)
      /// Numbers with the precision of a `Float`.
      case float
      case other
    }

    var operand: StoredValue {
      switch self {
      case .set(let value), .increment(let value, _): value
      }
    }
  }

  let keyPath: AnyKeyPath
  let operation: Operation

  /// Sets an attribute to a value.
  public static func set<Value: AttributeValue>(_ attribute: KeyPath<Object, Value>, to value: Value) -> Self {
    Self(keyPath: attribute, operation: .set(value.stored))
  }

  /// Adds an amount, which can be negative, to an attribute's value.
  ///
  /// If the result for any object is outside the attribute's range, the update throws
  /// ``PersistenceError/invalidValue(_:)``.
  public static func increment<Value: AttributeValue & Numeric>(
    _ attribute: KeyPath<Object, Value>, by amount: Value = 1
  ) -> Self {
    let kind: Operation.Kind =
      switch amount.stored {
      case .integer: .integer((Value.self as? any FixedWidthInteger.Type)?.storedLimits ?? .min ... .max)
      default: Value.self == Float.self ? .float : .other
      }
    return Self(keyPath: attribute, operation: .increment(amount.stored, kind))
  }
}

extension FixedWidthInteger {
  fileprivate static var storedLimits: ClosedRange<Int64> { Int64(clamping: Self.min)...Int64(clamping: Self.max) }
}
