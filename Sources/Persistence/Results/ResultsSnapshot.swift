/// The ids of the objects that match a request after one commit, in the sort order of the request.
///
/// A snapshot is an immutable value. Copies of a snapshot share memory, and successive snapshots share the chunks of
/// ids that have not changed. Accessing an id by its index requires a binary search over these chunks, but iterating
/// over the snapshot does not.
public struct ResultsSnapshot<Object: ManagedObject>: Sendable {
  let rows: ResultsRows

  init(_ rows: ResultsRows) { self.rows = rows }

  /// The number of sections. In results without sections, the number is 1, even if the results are empty.
  public var sectionCount: Int { rows.sections.count }

  /// Returns the section at an index, with its key and its ids.
  public func section(_ index: Int) -> ResultsSection<Object> { ResultsSection(self, index) }

  /// All sections.
  public var sections: [ResultsSection<Object>] { rows.sections.indices.map { section($0) } }

  /// The id of the object at a position.
  public subscript(indexPath: ResultsIndexPath) -> ObjectID<Object> {
    self[rows.sections[indexPath.section].start + indexPath.item]
  }

  /// Returns the position that corresponds to an index in the whole snapshot.
  public func indexPath(of index: Int) -> ResultsIndexPath {
    let section = rows.section(of: index)
    return ResultsIndexPath(section: section, item: index - rows.sections[section].start)
  }

  /// The ids of all objects, grouped by section.
  public var idsBySection: [[ObjectID<Object>]] { sections.map { Array($0) } }
}

extension ResultsSnapshot: RandomAccessCollection {
  /// Always 0.
  public var startIndex: Int { 0 }

  /// The number of objects.
  public var endIndex: Int { rows.count }

  /// The id of the object at an index in the whole snapshot, regardless of sections.
  public subscript(index: Int) -> ObjectID<Object> { ObjectID(rawValue: rows[index].id) }

  /// An iterator over the ids.
  public struct Iterator: IteratorProtocol {
    var cursor: ResultsRows.Cursor

    /// Returns the next id, or nil at the end of the snapshot.
    public mutating func next() -> ObjectID<Object>? {
      guard let row = cursor.row else { return nil }
      cursor.advance()
      return ObjectID(rawValue: row.id)
    }
  }

  /// Creates an iterator over all ids.
  public func makeIterator() -> Iterator { Iterator(cursor: rows.makeCursor()) }
}
