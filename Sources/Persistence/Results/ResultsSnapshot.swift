/// The ids of a request's objects after one commit, in the request's order.
///
/// A snapshot is an immutable value. Copies share memory, as do successive snapshots. Accessing the id at an index
/// requires a binary search over chunks, which iterating avoids.
public struct ResultsSnapshot<Object: ManagedObject>: Sendable {
  let rows: ResultsRows

  init(_ rows: ResultsRows) { self.rows = rows }

  /// The number of sections. Without sections, this is 1, even for empty results.
  public var sectionCount: Int { rows.sections.count }

  /// Returns the section at an index, with its key and its ids.
  public func section(_ index: Int) -> ResultsSection<Object> { ResultsSection(self, index) }

  /// All sections.
  public var sections: [ResultsSection<Object>] { rows.sections.indices.map { section($0) } }

  /// The id at a position.
  public subscript(indexPath: ResultsIndexPath) -> ObjectID<Object> {
    self[rows.sections[indexPath.section].start + indexPath.item]
  }

  /// Returns the position that corresponds to an index.
  public func indexPath(of index: Int) -> ResultsIndexPath {
    let section = rows.section(of: index)
    return ResultsIndexPath(section: section, item: index - rows.sections[section].start)
  }

  /// The ids, section by section.
  public var idsBySection: [[ObjectID<Object>]] { sections.map { Array($0) } }
}

extension ResultsSnapshot: RandomAccessCollection {
  /// Always 0.
  public var startIndex: Int { 0 }

  /// The number of objects.
  public var endIndex: Int { rows.count }

  /// The id at an index, regardless of sections.
  public subscript(index: Int) -> ObjectID<Object> { ObjectID(rawValue: rows[index].id) }

  /// An iterator over the ids.
  public struct Iterator: IteratorProtocol {
    var cursor: ResultsRows.Cursor

    /// Returns the next id, or nil at the end.
    public mutating func next() -> ObjectID<Object>? {
      guard let row = cursor.row else { return nil }
      cursor.advance()
      return ObjectID(rawValue: row.id)
    }
  }

  /// Creates an iterator over all ids.
  public func makeIterator() -> Iterator { Iterator(cursor: rows.makeCursor()) }
}
