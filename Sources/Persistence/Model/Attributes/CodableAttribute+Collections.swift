/// The collections that can be attributes. As the type of a whole row they are not one value.
protocol CollectionAttribute {}

extension Array: CollectionAttribute {}
extension Dictionary: CollectionAttribute {}
extension Set: CollectionAttribute {}

/// Stores an array as a JSON array. For bytes, use `Data`, which is smaller and faster.
extension Array: QueryValue, AttributeValue, CodableAttribute where Element: AttributeValue {}

/// Stores a dictionary as a JSON object with sorted keys. Dictionaries with keys of other types do not conform, because
/// equal dictionaries could have different JSON.
extension Dictionary: QueryValue, AttributeValue, CodableAttribute where Key == String, Value: AttributeValue {}

/// Stores a set as a sorted JSON array.
extension Set: QueryValue, AttributeValue, CodableAttribute where Element: AttributeValue & Comparable {
  /// A JSON array of the set's elements in sorted order.
  public var stored: StoredValue { JSONForm.of(sorted()) }
}
