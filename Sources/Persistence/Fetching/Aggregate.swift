public import Foundation

/// A calculation over all objects that a request describes, such as a sum or a mean.
///
/// ```swift
/// let episodes = try objects.aggregate(.sum(\.episodes), over: FetchDescriptor(Show.self, where: { $0.year > 1990 }))
/// let best = try objects.aggregate(.maximum(\.rating), over: FetchDescriptor(Show.self), by: \.genre)
/// ```
///
/// Aggregates ignore nil values.
public struct Aggregate<Object: ManagedObject, Value: Sendable>: Sendable {
  let function: String
  let path: (any PropertyPath)?
  let decode: @Sendable (StoredValue) -> Value?
  let refusal: UnsupportedQueryError?

  init(
    _ function: String, _ path: (any PropertyPath)?, refusal: UnsupportedQueryError? = nil,
    _ decode: @escaping @Sendable (StoredValue) -> Value?
  ) {
    self.function = function
    self.path = path
    self.refusal = refusal
    self.decode = decode
  }
}

extension Aggregate where Value == Int {
  /// The number of objects that the request describes.
  public static var count: Aggregate { Aggregate("count", nil) { Int(stored: $0) } }
}

extension Aggregate where Value == Int64 {
  /// The sum of an integer attribute's values, or 0 if there are no values. If the sum does not fit in 64 bits, the
  /// calculation throws ``PersistenceError/sumOverflow``.
  public static func sum<Number: AttributeValue & FixedWidthInteger>(
    _ path: any KeyPath<Object, Number> & Sendable
  ) -> Aggregate { Aggregate("sum", path) { $0.isNull ? 0 : Int64(stored: $0) } }

  /// The sum of an integer attribute's values, or 0 if there are no values. If the sum does not fit in 64 bits, the
  /// calculation throws ``PersistenceError/sumOverflow``.
  public static func sum<Number: AttributeValue & FixedWidthInteger>(
    _ path: any KeyPath<Object, Number?> & Sendable
  ) -> Aggregate { Aggregate("sum", path) { $0.isNull ? 0 : Int64(stored: $0) } }
}

extension Aggregate where Value == Double {
  /// The sum of a floating-point attribute's values, or 0 if there are no values. If the values include both infinity
  /// and negative infinity, the sum is 0.
  public static func sum<Number: AttributeValue & BinaryFloatingPoint>(
    _ path: any KeyPath<Object, Number> & Sendable
  ) -> Aggregate { Aggregate("sum", path) { $0.isNull ? 0 : Double(stored: $0) } }

  /// The sum of a floating-point attribute's values, or 0 if there are no values. If the values include both infinity
  /// and negative infinity, the sum is 0.
  public static func sum<Number: AttributeValue & BinaryFloatingPoint>(
    _ path: any KeyPath<Object, Number?> & Sendable
  ) -> Aggregate { Aggregate("sum", path) { $0.isNull ? 0 : Double(stored: $0) } }
}

extension Aggregate where Value == Decimal {
  /// The exact sum of a `Decimal` attribute's values, or 0 if there are no values. If the sum needs more than 38
  /// digits, the calculation throws ``PersistenceError/sumOverflow``.
  public static func sum(_ path: any KeyPath<Object, Decimal> & Sendable) -> Aggregate {
    Aggregate(DecimalSumFunction.sum, path) { Decimal(stored: $0) }
  }

  /// The exact sum of a `Decimal` attribute's values, or 0 if there are no values. If the sum needs more than 38
  /// digits, the calculation throws ``PersistenceError/sumOverflow``.
  public static func sum(_ path: any KeyPath<Object, Decimal?> & Sendable) -> Aggregate {
    Aggregate(DecimalSumFunction.sum, path) { Decimal(stored: $0) }
  }
}

extension Aggregate where Value == Decimal? {
  /// The mean of a `Decimal` attribute's values, rounded to 38 digits, or nil if there are no values. If the sum of the
  /// values needs more than 38 digits, the calculation throws ``PersistenceError/sumOverflow``.
  public static func average(_ path: any KeyPath<Object, Decimal> & Sendable) -> Aggregate {
    Aggregate(DecimalSumFunction.average, path) { Decimal?(stored: $0) }
  }

  /// The mean of a `Decimal` attribute's values, rounded to 38 digits, or nil if there are no values. If the sum of the
  /// values needs more than 38 digits, the calculation throws ``PersistenceError/sumOverflow``.
  public static func average(_ path: any KeyPath<Object, Decimal?> & Sendable) -> Aggregate {
    Aggregate(DecimalSumFunction.average, path) { Decimal?(stored: $0) }
  }
}

extension Aggregate where Value == Double? {
  // Disfavored, because a Decimal is numeric too.

  /// The mean of a numeric attribute's values, or nil if there are no values.
  @_disfavoredOverload
  public static func average<Number: AttributeValue & Numeric>(
    _ path: any KeyPath<Object, Number> & Sendable
  ) -> Aggregate { Aggregate("avg", path, refusal: .notCalculable(Number.self)) { Double?(stored: $0) } }

  /// The mean of a numeric attribute's values, or nil if there are no values.
  @_disfavoredOverload
  public static func average<Number: AttributeValue & Numeric>(
    _ path: any KeyPath<Object, Number?> & Sendable
  ) -> Aggregate { Aggregate("avg", path, refusal: .notCalculable(Number.self)) { Double?(stored: $0) } }
}

extension Aggregate {
  /// The smallest value of an attribute, or nil if there are no values.
  public static func minimum<Part: AttributeValue & Comparable>(
    _ path: any KeyPath<Object, Part> & Sendable
  ) -> Aggregate where Value == Part? {
    Aggregate("min", path, refusal: .notInOrder(Part.self)) { Part?(stored: $0) }
  }

  /// The smallest value of an attribute, or nil if there are no values.
  public static func minimum<Part: AttributeValue & Comparable>(
    _ path: any KeyPath<Object, Part?> & Sendable
  ) -> Aggregate where Value == Part? {
    Aggregate("min", path, refusal: .notInOrder(Part.self)) { Part?(stored: $0) }
  }

  /// The largest value of an attribute, or nil if there are no values.
  public static func maximum<Part: AttributeValue & Comparable>(
    _ path: any KeyPath<Object, Part> & Sendable
  ) -> Aggregate where Value == Part? {
    Aggregate("max", path, refusal: .notInOrder(Part.self)) { Part?(stored: $0) }
  }

  /// The largest value of an attribute, or nil if there are no values.
  public static func maximum<Part: AttributeValue & Comparable>(
    _ path: any KeyPath<Object, Part?> & Sendable
  ) -> Aggregate where Value == Part? {
    Aggregate("max", path, refusal: .notInOrder(Part.self)) { Part?(stored: $0) }
  }
}

extension UnsupportedQueryError {
  fileprivate static func notInOrder(_ type: any QueryValue.Type) -> UnsupportedQueryError? {
    type.isStoredInOrder ? nil : .unordered(type, .less)
  }

  fileprivate static func notCalculable(_ type: any QueryValue.Type) -> UnsupportedQueryError? {
    if type._isCalculable || type == Float.self { return nil }
    return UnsupportedQueryError("\(type)", "the store can calculate only with integers and floating-point numbers")
  }
}
