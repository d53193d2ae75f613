/// Calculations with integers and `Double`.
///
/// ```swift
/// let request = FetchDescriptor(
///   Movie.self, where: { $0.rating * 2 > 15 && $0.year % 4 == 0 },
///   sort: [.descending { $0.rating / 2 }])
/// ```
///
/// The result is nil if an operand is nil, if the divisor is zero, or if the result would be NaN. Integers are
/// calculated in 64 bits; a result that does not fit becomes a floating-point number. Selecting such a result as an
/// integer, or nil as a type that is not Optional, throws ``PersistenceError/invalidValue(_:)``. Other number types,
/// such as `Float` and `Decimal`, are refused with ``PersistenceError/unsupportedQuery(_:)``.
extension Term where Value: QueryValue, Value.Unwrapped: Numeric {
  /// The sum of two terms.
  public static func + <Other: ManagedObject>(left: Term, right: Term<Other, Value>) -> Term {
    left.calculated(.add, right)
  }

  /// The sum of two terms, when only one of the terms has an optional type.
  @_disfavoredOverload
  public static func + <Other: ManagedObject, OtherValue: QueryValue>(
    left: Term, right: Term<Other, OtherValue>
  ) -> Term<Root, Value.Unwrapped?> where OtherValue.Unwrapped == Value.Unwrapped {
    left.calculated(.add, right).optional
  }

  /// The sum of a term and a value.
  public static func + (left: Term, right: Value.Unwrapped) -> Term { left.calculated(.add, Term(right)) }

  /// The sum of a value and a term.
  public static func + (left: Value.Unwrapped, right: Term) -> Term { Term(left).calculated(.add, right) }

  /// The difference between two terms.
  public static func - <Other: ManagedObject>(left: Term, right: Term<Other, Value>) -> Term {
    left.calculated(.subtract, right)
  }

  /// The difference between two terms, when only one of the terms has an optional type.
  @_disfavoredOverload
  public static func - <Other: ManagedObject, OtherValue: QueryValue>(
    left: Term, right: Term<Other, OtherValue>
  ) -> Term<Root, Value.Unwrapped?> where OtherValue.Unwrapped == Value.Unwrapped {
    left.calculated(.subtract, right).optional
  }

  /// The difference between a term and a value.
  public static func - (left: Term, right: Value.Unwrapped) -> Term { left.calculated(.subtract, Term(right)) }

  /// The difference between a value and a term.
  public static func - (left: Value.Unwrapped, right: Term) -> Term { Term(left).calculated(.subtract, right) }

  /// The product of two terms.
  public static func * <Other: ManagedObject>(left: Term, right: Term<Other, Value>) -> Term {
    left.calculated(.multiply, right)
  }

  /// The product of two terms, when only one of the terms has an optional type.
  @_disfavoredOverload
  public static func * <Other: ManagedObject, OtherValue: QueryValue>(
    left: Term, right: Term<Other, OtherValue>
  ) -> Term<Root, Value.Unwrapped?> where OtherValue.Unwrapped == Value.Unwrapped {
    left.calculated(.multiply, right).optional
  }

  /// The product of a term and a value.
  public static func * (left: Term, right: Value.Unwrapped) -> Term { left.calculated(.multiply, Term(right)) }

  /// The product of a value and a term.
  public static func * (left: Value.Unwrapped, right: Term) -> Term { Term(left).calculated(.multiply, right) }

  /// The quotient of two terms, or nil if the second term is zero. A quotient of integers is rounded toward zero.
  public static func / <Other: ManagedObject, OtherValue: QueryValue>(
    left: Term, right: Term<Other, OtherValue>
  ) -> Term<Root, Value.Unwrapped?> where OtherValue.Unwrapped == Value.Unwrapped {
    left.calculated(.divide, right).optional
  }

  /// The quotient of a term and a value, or nil if the value is zero. A quotient of integers is rounded toward zero.
  public static func / (left: Term, right: Value.Unwrapped) -> Term<Root, Value.Unwrapped?> {
    left.calculated(.divide, Term(right)).optional
  }

  /// The quotient of a value and a term, or nil if the term is zero. A quotient of integers is rounded toward zero.
  public static func / (left: Value.Unwrapped, right: Term) -> Term<Root, Value.Unwrapped?> {
    Term(left).calculated(.divide, right).optional
  }

  private init(_ value: Value.Unwrapped) { self.init(ScopedExpression(.value(value._operand))) }

  fileprivate func calculated<Other: ManagedObject, OtherValue>(
    _ operation: QueryExpression.Arithmetic, _ other: Term<Other, OtherValue>
  ) -> Term {
    Term(
      scoped.condition(with: other.scoped) {
        .calculated($0.expression, operation, $1.expression, as: Value.Unwrapped.self)
      })
  }
}

extension Term where Value: QueryValue, Value.Unwrapped: FixedWidthInteger {
  /// The remainder of dividing the first term by the second term, or nil if the second term is zero. The remainder has
  /// the sign of the first term.
  public static func % <Other: ManagedObject, OtherValue: QueryValue>(
    left: Term, right: Term<Other, OtherValue>
  ) -> Term<Root, Value.Unwrapped?> where OtherValue.Unwrapped == Value.Unwrapped {
    left.calculated(.remainder, right).optional
  }

  /// The remainder of dividing a term by a value, or nil if the value is zero. The remainder has the sign of the term.
  public static func % (left: Term, right: Value.Unwrapped) -> Term<Root, Value.Unwrapped?> {
    left.calculated(.remainder, Term(ScopedExpression(.value(right._operand)))).optional
  }
}
