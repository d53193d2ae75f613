/// Compares the names of a queryable value's properties with the JSON of a sample.
enum JSONNameCheck {
  static func problems<Value: QueryableValue>(of type: Value.Type) -> [String] {
    let sample = Value()
    return Value.jsonNames.compactMap { path, name -> String? in
      // They become a part of a path in SQL, where SQLite compares their bytes with those of the JSON.
      if name.unicodeScalars.contains(where: { $0.value < 0x20 || $0 == "\"" || $0 == "\\" }) {
        return
          "\(type).jsonNames: the name \(name.debugDescription) contains a quote, a backslash or a control character"
      }
      if path.hasSeveralComponents {
        return "\(type).jsonNames: \(path.queryDescription) is not a single property"
      }
      guard let path = path as? any CheckedPath, !path.isStored(as: name, in: sample) else { return nil }
      return "\(type).jsonNames: the JSON does not have the value of a \(path.propertyType) as \"\(name)\""
    }.sorted()
  }
}

/// A key path to a property that may be stored in JSON.
private protocol CheckedPath {
  var propertyType: Any.Type { get }

  func isStored(as name: String, in sample: Any) -> Bool
}

extension KeyPath: CheckedPath where Root: QueryableValue, Value: AttributeValue {
  fileprivate var propertyType: Any.Type { Value.self }

  /// Sets the property to other values if it can be set. Otherwise, only its value in the sample is compared.
  fileprivate func isStored(as name: String, in sample: Any) -> Bool {
    guard let sample = sample as? Root, case .success(let form) = ValueField.form(of: Value.Unwrapped.self) else {
      return true
    }
    guard isStored(as: name, form, in: sample) else { return false }
    guard let path = self as? WritableKeyPath<Root, Value> else { return true }
    return KeyPathIndex.tests.lazy.compactMap { Value(stored: $0) }.prefix(4).allSatisfy { value in
      var sample = sample
      sample[keyPath: path] = value
      return isStored(as: name, form, in: sample)
    }
  }

  private func isStored(as name: String, _ form: FieldPath.Form, in sample: Root) -> Bool {
    // A number such as infinity has no JSON.
    guard case .text(let json) = sample.stored else { return true }
    return JSONMember.value(name, in: json, form).isSame(as: sample[keyPath: self].stored)
  }
}
