/// The objects of a result that have the same value in the attribute it is sectioned by.
public struct ResultsSection<Object: ManagedObject>: Sendable {
  private let snapshot: ResultsSnapshot<Object>
  private let place: Int

  init(_ snapshot: ResultsSnapshot<Object>, _ place: Int) {
    self.snapshot = snapshot
    self.place = place
  }

  /// The value that they have in common, as the store keeps it; `null` in a result without sections.
  public var storedKey: StoredValue { snapshot.rows.sections[place].key }

  /// The value that they have in common; nil if it is none of this type.
  public func key<Key: AttributeValue>(as type: Key.Type = Key.self) -> Key? { Key(stored: storedKey) }
}

extension ResultsSection: RandomAccessCollection {
  /// 0.
  public var startIndex: Int { 0 }

  /// How many objects there are.
  public var endIndex: Int { snapshot.rows.sections[place].count }

  /// The id at a place in the section.
  public subscript(index: Int) -> ObjectID<Object> { snapshot[snapshot.rows.sections[place].start + index] }
}
