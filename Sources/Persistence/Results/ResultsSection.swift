/// A section of live results, which contains the ids of all objects with the same value of the section attribute.
public struct ResultsSection<Object: ManagedObject>: Sendable {
  private let snapshot: ResultsSnapshot<Object>
  private let place: Int

  init(_ snapshot: ResultsSnapshot<Object>, _ place: Int) {
    self.snapshot = snapshot
    self.place = place
  }

  /// The section attribute's value in its stored form, or `null` in results without sections.
  public var storedKey: StoredValue { snapshot.rows.sections[place].key }

  /// Returns the section attribute's value, or nil if the value does not have the given type.
  public func key<Key: AttributeValue>(as type: Key.Type = Key.self) -> Key? { Key(stored: storedKey) }
}

extension ResultsSection: RandomAccessCollection {
  /// Always 0.
  public var startIndex: Int { 0 }

  /// The number of objects.
  public var endIndex: Int { snapshot.rows.sections[place].count }

  /// The id of the object at an index in the section.
  public subscript(index: Int) -> ObjectID<Object> { snapshot[snapshot.rows.sections[place].start + index] }
}
