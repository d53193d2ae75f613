public import Persistence

/// The objects of a list, in the order of its request.
///
/// The list itself has only ids. Objects are fetched when they are accessed, 256 rows at a time. A `ForEach` over the
/// objects asks each of them for its id. For lists of many thousands of rows, iterate over ``ids`` instead, and look up
/// the object of a row in the row's view.
///
/// An object whose deletion is pending stays, with its last values, until the deletion is saved. If an object cannot be
/// read, an object that belongs to no context takes its place, with the default values of its class.
///
/// The objects belong to the view context. Use them on the main actor only.
public struct FetchedObjects<Object: ManagedObject> {
  /// The ids of the objects. Nil before the first read.
  let snapshot: ResultsSnapshot<Object>?
  private let rows: FetchedRows<Object>?

  init() { (snapshot, rows) = (nil, nil) }

  init(_ snapshot: ResultsSnapshot<Object>, in context: ViewContext) {
    self.snapshot = snapshot
    rows = FetchedRows(snapshot, context)
  }

  /// The ids of the objects, without the objects.
  public var ids: LazyMapCollection<Range<Int>, ObjectID<Object>> {
    indices.lazy.map { [snapshot] in snapshot?[$0] ?? ObjectID(rawValue: 0) }
  }

  /// The sections, if the list has any. Otherwise one section with all objects.
  public var sections: [FetchedSection<Object>] {
    guard let snapshot else { return [] }
    return snapshot.sections.map { FetchedSection(section: $0, objects: self) }
  }
}

extension FetchedObjects: RandomAccessCollection {
  /// Always 0.
  public var startIndex: Int { 0 }

  /// The number of objects.
  public var endIndex: Int { snapshot?.count ?? 0 }

  /// The object at an index.
  public subscript(index: Int) -> Object { rows?.object(at: index) ?? Object() }
}

/// The objects of a list that have the same value of the attribute by which the list is divided.
///
/// ```swift
/// func title(of section: FetchedSection<Story>) -> String {
///   "\(section.key(as: String.self) ?? "no author"), \(section.count) stories"
/// }
/// ```
public struct FetchedSection<Object: ManagedObject> {
  let section: ResultsSection<Object>
  let objects: FetchedObjects<Object>

  /// Returns the section attribute's value, or nil if the value does not have the given type.
  public func key<Key: AttributeValue>(as type: Key.Type = Key.self) -> Key? { section.key() }
}

extension FetchedSection: RandomAccessCollection, Identifiable {
  /// The section attribute's value in its stored form.
  public var id: StoredValue { section.storedKey }

  /// Always 0.
  public var startIndex: Int { 0 }

  /// The number of objects.
  public var endIndex: Int { section.count }

  /// The object at an index in the section.
  public subscript(index: Int) -> Object { objects[section.start + index] }
}
