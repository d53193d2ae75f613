/// The ids of a request's objects, in its order, as they were after one commit.
///
/// It is a value that never changes. Copies share their memory, and so do snapshots that follow each other. Taking an
/// id at a place costs a binary search over chunks, iterating nothing of that.
public struct ResultsSnapshot<Object: ManagedObject>: Sendable {
  let rows: ResultsRows

  init(_ rows: ResultsRows) { self.rows = rows }

  /// How many sections there are. Without sections it is one, also if nothing is in it.
  public var sectionCount: Int { rows.sections.count }

  /// A section: its key, and the ids in it.
  public func section(_ index: Int) -> ResultsSection<Object> { ResultsSection(self, index) }

  /// All sections.
  public var sections: [ResultsSection<Object>] { rows.sections.indices.map { section($0) } }

  /// The id at a place.
  public subscript(position: ResultsPosition) -> ObjectID<Object> {
    self[rows.sections[position.section].start + position.item]
  }

  /// The place of an index.
  public func position(of index: Int) -> ResultsPosition {
    let section = rows.section(of: index)
    return ResultsPosition(section: section, item: index - rows.sections[section].start)
  }

  /// The ids, section by section.
  public var idsBySection: [[ObjectID<Object>]] { sections.map { Array($0) } }
}

extension ResultsSnapshot: RandomAccessCollection {
  /// 0.
  public var startIndex: Int { 0 }

  /// How many objects there are.
  public var endIndex: Int { rows.count }

  /// The id at an index, sections disregarded.
  public subscript(index: Int) -> ObjectID<Object> { ObjectID(rawValue: rows[index].id) }

  /// Iterates over the ids.
  public struct Iterator: IteratorProtocol {
    var cursor: ResultsRows.Cursor

    /// The next id.
    public mutating func next() -> ObjectID<Object>? {
      guard let row = cursor.row else { return nil }
      cursor.advance()
      return ObjectID(rawValue: row.id)
    }
  }

  /// An iterator over all ids.
  public func makeIterator() -> Iterator { Iterator(cursor: rows.makeCursor()) }
}
