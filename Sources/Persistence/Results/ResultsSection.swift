/// A section of live results, which contains the ids of all objects with the same value of the section attribute.
public struct ResultsSection<Object: ManagedObject>: Sendable {
  private let snapshot: ResultsSnapshot<Object>
  private let position: Int

  init(_ snapshot: ResultsSnapshot<Object>, _ position: Int) {
    self.snapshot = snapshot
    self.position = position
  }

  /// The index of the section's first object in the whole snapshot.
  package var start: Int { snapshot.rows.sections[position].start }

  /// The section attribute's value in its stored form, or `null` in results without sections.
  public var storedKey: StoredValue { snapshot.rows.sections[position].key }

  /// Returns the section attribute's value, or nil if the value does not have the given type.
  public func key<Key: AttributeValue>(as type: Key.Type = Key.self) -> Key? { Key(stored: storedKey) }
}

extension ResultsSection: RandomAccessCollection {
  /// Always 0.
  public var startIndex: Int { 0 }

  /// The number of objects.
  public var endIndex: Int { snapshot.rows.sections[position].count }

  /// The id of the object at an index in the section.
  public subscript(index: Int) -> ObjectID<Object> { snapshot[snapshot.rows.sections[position].start + index] }
}
