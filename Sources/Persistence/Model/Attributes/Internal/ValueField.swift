internal import Foundation

/// A property of a ``QueryableValue``, by its key path and by its name in the JSON.
struct ValueField: Sendable {
  let path: any AnyKeyPath & Sendable
  let name: String
  let form: FieldPath.Form
  let storage: StorageClass
  let isOptional: Bool
}

extension ValueField {
  /// Finding a field casts types, which is slow. The key paths of literals are few.
  private static let known = Lock<
    [ObjectIdentifier: (path: any AnyKeyPath & Sendable, Result<ValueField, UnsupportedQueryError>)]
  >([:])

  /// - Parameter part: The property's type.
  static func find<Value: QueryableValue>(
    _ path: any AnyKeyPath & Sendable, of type: Value.Type, _ part: any Any.Type
  ) -> Result<ValueField, UnsupportedQueryError> {
    if let found = known.withLock({ $0[ObjectIdentifier(path)] }) { return found.1 }
    let found = make(path, of: type, part)
    known.withLock { known in
      // The number of possible key paths is unlimited.
      if known.count >= 4096 { known.removeAll() }
      // The path is retained, because another one could get its address.
      known[ObjectIdentifier(path)] = (path, found)
    }
    return found
  }

  private static func make<Value: QueryableValue>(
    _ path: any AnyKeyPath & Sendable, of type: Value.Type, _ part: any Any.Type
  ) -> Result<ValueField, UnsupportedQueryError> {
    guard let key = path as? PartialKeyPath<Value>, let name = Value.jsonNames[key] else {
      return .failure(UnsupportedQueryError(path.queryDescription, "\(type).jsonNames does not contain the property"))
    }
    return form(of: (part as? any OptionalType.Type)?.wrapped ?? part).map { form in
      let storage = (part as? any AttributeValue.Type)?.storageClass ?? .blob
      return ValueField(
        path: path, name: name, form: form, storage: storage, isOptional: part is any OptionalType.Type)
    }
  }

  /// The form of a type without its `Optional`.
  static func form(of type: any Any.Type) -> Result<FieldPath.Form, UnsupportedQueryError> {
    if plain.contains(ObjectIdentifier(type)) { return .success(.plain) }
    if type == Double.self { return .success(.real) }
    if type is any QueryableValue.Type { return .success(.json) }
    // A Float, a Date and others are encoded in a form that is not the stored one.
    if let raw = (type as? any RawRepresentable.Type)?.rawType {
      if plain.contains(ObjectIdentifier(raw)) { return .success(.plain) }
      if raw == Double.self { return .success(.real) }
    }
    return .failure(
      UnsupportedQueryError(
        "a property of type \(type)",
        "within a value, queries can name only texts, integers of at most 63 bits and a sign, Booleans, Double, types "
          + "with such raw values, and other queryable values: store it in an attribute of its own"))
  }

  private static let plain: Set<ObjectIdentifier> = Set(
    [
      String.self, Bool.self, Int.self, Int8.self, Int16.self, Int32.self, Int64.self, UInt8.self, UInt16.self,
      UInt32.self,
    ].map { (type: Any.Type) in ObjectIdentifier(type) })
}

extension RawRepresentable {
  fileprivate static var rawType: any Any.Type { RawValue.self }
}
