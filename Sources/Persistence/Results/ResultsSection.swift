/// The objects in live results that share a value of the section attribute.
public struct ResultsSection<Object: ManagedObject>: Sendable {
  private let snapshot: ResultsSnapshot<Object>
  private let place: Int

  init(_ snapshot: ResultsSnapshot<Object>, _ place: Int) {
    self.snapshot = snapshot
    self.place = place
  }

  /// The shared value in its stored form, or `null` in results without sections.
  public var storedKey: StoredValue { snapshot.rows.sections[place].key }

  /// Returns the shared value, or nil if it does not have the given type.
  public func key<Key: AttributeValue>(as type: Key.Type = Key.self) -> Key? { Key(stored: storedKey) }
}

extension ResultsSection: RandomAccessCollection {
  /// Always 0.
  public var startIndex: Int { 0 }

  /// The number of objects.
  public var endIndex: Int { snapshot.rows.sections[place].count }

  /// The id at an index in the section.
  public subscript(index: Int) -> ObjectID<Object> { snapshot[snapshot.rows.sections[place].start + index] }
}
