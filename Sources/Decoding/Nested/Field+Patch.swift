/// Fields as the members of a merge patch (RFC 7396): a missing field leaves the existing value unchanged, null removes
/// it, and a new value replaces it.
///
/// ```swift
/// struct BookPatch: Codable {
///   var title: Field<String>
///   var publisher: Field<String>
///
///   func apply(to title: inout String, _ publisher: inout String?) throws {
///     try self.title.apply(to: &title)
///     try self.publisher.apply(to: &publisher)
///   }
/// }
/// ```
extension Field {
  /// Applies the field to an optional value. A missing field leaves the value unchanged, and null sets it to nil.
  ///
  /// - Throws: The stored error if the field is invalid.
  public func apply(to value: inout Value?) throws {
    switch self {
    case .missing: break
    case .null: value = nil
    case .value(let new): value = new
    case .invalid(let error): throw error
    }
  }

  /// Applies the field to a required value. A missing field leaves the value unchanged.
  ///
  /// - Throws: `DecodingError.valueNotFound` if the field is null, and the stored error if the field is invalid.
  public func apply(to value: inout Value) throws {
    switch self {
    case .missing: break
    case .null: throw DecodingError.valueNotFound(Value.self, at: [], "The value must not be removed.")
    case .value(let new): value = new
    case .invalid(let error): throw error
    }
  }
}

extension Field where Value: Equatable {
  /// Creates a field that, as a member of a merge patch, changes the old value to the new value. The field is
  /// ``missing`` if the two values are equal.
  public init(changing old: Value?, to new: Value?) {
    self = old == new ? .missing : new.map { .value($0) } ?? .null
  }
}
