/// A number calculated from all objects that a request asks for.
///
/// ```swift
/// let episodes = try objects.aggregate(.sum(\.episodes), over: FetchRequest(where: \Show.year > 1990))
/// let best = try objects.aggregate(.maximum(\.rating), over: FetchRequest(Show.self), by: \.genre)
/// ```
///
/// nil does not take part.
public struct Aggregate<Object: ManagedObject, Value: Sendable>: Sendable {
  let function: String
  let path: (any PropertyPath)?
  let decode: @Sendable (StoredValue) -> Value?
  let refusal: QueryRefusal?

  init(
    _ function: String, _ path: (any PropertyPath)?, refusal: QueryRefusal? = nil,
    _ decode: @escaping @Sendable (StoredValue) -> Value?
  ) {
    self.function = function
    self.path = path
    self.refusal = refusal
    self.decode = decode
  }
}

extension Aggregate where Value == Int {
  /// How many objects there are.
  public static var count: Aggregate { Aggregate("count", nil) { Int(stored: $0) } }
}

extension Aggregate where Value == Int64 {
  /// The sum of whole numbers, 0 of none. A sum that exceeds 64 bits throws ``PersistenceError/sumOverflow``.
  public static func sum<Number: AttributeValue & FixedWidthInteger>(
    _ path: any KeyPath<Object, Number> & Sendable
  ) -> Aggregate { Aggregate("sum", path) { $0.isNull ? 0 : Int64(stored: $0) } }

  /// The sum of whole numbers, 0 of none. A sum that exceeds 64 bits throws ``PersistenceError/sumOverflow``.
  public static func sum<Number: AttributeValue & FixedWidthInteger>(
    _ path: any KeyPath<Object, Number?> & Sendable
  ) -> Aggregate { Aggregate("sum", path) { $0.isNull ? 0 : Int64(stored: $0) } }
}

extension Aggregate where Value == Double {
  /// The sum of floating-point numbers, 0 of none. Infinity less infinity is 0.
  public static func sum<Number: AttributeValue & BinaryFloatingPoint>(
    _ path: any KeyPath<Object, Number> & Sendable
  ) -> Aggregate { Aggregate("sum", path) { $0.isNull ? 0 : Double(stored: $0) } }

  /// The sum of floating-point numbers, 0 of none. Infinity less infinity is 0.
  public static func sum<Number: AttributeValue & BinaryFloatingPoint>(
    _ path: any KeyPath<Object, Number?> & Sendable
  ) -> Aggregate { Aggregate("sum", path) { $0.isNull ? 0 : Double(stored: $0) } }
}

extension Aggregate where Value == Double? {
  /// The mean of numbers, nil of none.
  public static func average<Number: AttributeValue & Numeric>(
    _ path: any KeyPath<Object, Number> & Sendable
  ) -> Aggregate { Aggregate("avg", path, refusal: .notCalculable(Number.self)) { Double?(stored: $0) } }

  /// The mean of numbers, nil of none.
  public static func average<Number: AttributeValue & Numeric>(
    _ path: any KeyPath<Object, Number?> & Sendable
  ) -> Aggregate { Aggregate("avg", path, refusal: .notCalculable(Number.self)) { Double?(stored: $0) } }
}

extension Aggregate {
  /// The least value, nil of none.
  public static func minimum<Part: AttributeValue & Comparable>(
    _ path: any KeyPath<Object, Part> & Sendable
  ) -> Aggregate where Value == Part? {
    Aggregate("min", path, refusal: .notInOrder(Part.self)) { Part?(stored: $0) }
  }

  /// The least value, nil of none.
  public static func minimum<Part: AttributeValue & Comparable>(
    _ path: any KeyPath<Object, Part?> & Sendable
  ) -> Aggregate where Value == Part? {
    Aggregate("min", path, refusal: .notInOrder(Part.self)) { Part?(stored: $0) }
  }

  /// The greatest value, nil of none.
  public static func maximum<Part: AttributeValue & Comparable>(
    _ path: any KeyPath<Object, Part> & Sendable
  ) -> Aggregate where Value == Part? {
    Aggregate("max", path, refusal: .notInOrder(Part.self)) { Part?(stored: $0) }
  }

  /// The greatest value, nil of none.
  public static func maximum<Part: AttributeValue & Comparable>(
    _ path: any KeyPath<Object, Part?> & Sendable
  ) -> Aggregate where Value == Part? {
    Aggregate("max", path, refusal: .notInOrder(Part.self)) { Part?(stored: $0) }
  }
}

extension QueryRefusal {
  fileprivate static func notInOrder(_ type: any Any.Type) -> QueryRefusal? {
    StoredForm.isInOrder(type) ? nil : .unordered(type, .less)
  }

  fileprivate static func notCalculable(_ type: any Any.Type) -> QueryRefusal? {
    if StoredForm.isCalculable(type) || type == Float.self { return nil }
    return QueryRefusal("\(type)", "the store calculates with whole numbers and floating-point numbers only")
  }
}
