/// An optional of any type.
private protocol AnyOptional {
  static var none: Self { get }
  var isNone: Bool { get }
}

extension Optional: AnyOptional {
  fileprivate var isNone: Bool { self == nil }
}

/// Returns nil of the type if it is an optional.
func nilValue<Value>(of type: Value.Type) -> Value? {
  (type as? any AnyOptional.Type).flatMap { $0.none as? Value }
}

func isNilValue(_ value: some Any) -> Bool { (value as? any AnyOptional)?.isNone ?? false }
