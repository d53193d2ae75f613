/// Values that may be nil because there is no related object.
extension Term where Value: QueryValue {
  /// The same value with an optional type, as in `$0.director.name.optional`, which is nil if there is no director.
  ///
  /// To select or group by a property of a to-one relationship's object, use `optional` or provide a default value.
  public var optional: Term<Root, Value.Unwrapped?> { Term<Root, Value.Unwrapped?>(scoped) }

  /// The value, or a default value in place of nil, as in `$0.director.name ?? "unknown"`.
  @_disfavoredOverload
  public static func ?? (term: Term, value: Value.Unwrapped) -> Term<Root, Value.Unwrapped> {
    Term<Root, Value.Unwrapped>(term.scoped.condition(.coalesced(term.scoped.expression, .value(value._operand))))
  }
}
