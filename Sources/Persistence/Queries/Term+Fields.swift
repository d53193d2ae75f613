/// Properties of a value that is stored as JSON.
extension Term where Value: QueryableValue {
  /// A property of a ``QueryableValue``, as in `$0.address.city`.
  public subscript<Part: QueryValue>(
    dynamicMember path: any KeyPath<Value, Part> & Sendable
  ) -> Term<Root, Part> {
    Term<Root, Part>(scoped.field(path, of: Value.self, Part.self))
  }
}

extension Term {
  /// A property of an optional ``QueryableValue``. The property is nil if the value is nil.
  ///
  /// To select the property or to group by it, append `.optional`, or use `??` to provide a default value.
  public subscript<Whole: QueryableValue, Part: QueryValue>(
    dynamicMember path: any KeyPath<Whole, Part> & Sendable
  ) -> Term<Root, Part> where Value == Whole? {
    Term<Root, Part>(scoped.field(path, of: Whole.self, Part.self))
  }
}

extension ScopedExpression {
  func field<Value: QueryableValue>(
    _ path: any PropertyPath, of type: Value.Type, _ part: any Any.Type
  ) -> ScopedExpression {
    condition(.field(expression, path, of: type, part))
  }
}

extension QueryExpression {
  static func field<Value: QueryableValue>(
    _ value: QueryExpression, _ path: any PropertyPath, of type: Value.Type, _ part: any Any.Type
  ) -> QueryExpression {
    switch ValueField.find(path, of: type, part) {
    case .success(let field): .field(value, field)
    case .failure(let refusal): .unsupportedQuery(refusal)
    }
  }
}
