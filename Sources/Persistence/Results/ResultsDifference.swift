/// The difference between two successive snapshots.
///
/// The positions of deletions, and the old positions of moves and updates, refer to the old snapshot. The positions of
/// insertions, and the new positions of moves and updates, refer to the new snapshot. Each list is in ascending order
/// of position, as list views expect. If an object's sort keys have changed but the object has not moved past another
/// object, it is listed in ``updates``, not in ``moves``. Redisplay the objects in ``moves`` as well, because their
/// values may also have changed. ``apply(to:)`` defines the exact meaning of the lists.
public struct ResultsDifference<Object: ManagedObject>: Sendable {
  /// The id and the position of an object.
  public struct Item: Sendable, Hashable {
    /// The id of the object.
    public let id: ObjectID<Object>
    /// The object's position.
    public let indexPath: ResultsIndexPath
  }

  /// The id, the old position and the new position of an object.
  public struct Move: Sendable, Hashable {
    /// The id of the object.
    public let id: ObjectID<Object>
    /// The object's position in the old snapshot.
    public let from: ResultsIndexPath
    /// The object's position in the new snapshot.
    public let to: ResultsIndexPath
  }

  /// The indexes of the sections in the old snapshot that are not in the new snapshot, because all of their objects
  /// were deleted or moved.
  public private(set) var deletedSections: [Int] = []
  /// The indexes of the sections in the new snapshot that are not in the old snapshot.
  public private(set) var insertedSections: [Int] = []
  /// The objects that are no longer in the results.
  public private(set) var deletions: [Item] = []
  /// The objects that are new in the results.
  public private(set) var insertions: [Item] = []
  /// The objects that have moved, in the order of their new positions.
  public private(set) var moves: [Move] = []
  /// The objects that have new values but have not moved relative to the other objects.
  public private(set) var updates: [Move] = []
  /// Whether the difference lists all objects with changed values. If this property is false, redisplay all visible
  /// objects.
  public let isComplete: Bool

  init(_ difference: RowsDifference, from old: ResultsSnapshot<Object>, to new: ResultsSnapshot<Object>) {
    isComplete = difference.isComplete
    var gone: [Int64: Int] = [:]
    if !difference.inserted.isEmpty { for row in difference.removed { gone[row.id] = row.index } }
    for row in difference.inserted {
      let position = new.indexPath(of: row.index)
      if let from = gone.removeValue(forKey: row.id) {
        moves.append(Move(id: ObjectID(rawValue: row.id), from: old.indexPath(of: from), to: position))
      } else {
        insertions.append(Item(id: ObjectID(rawValue: row.id), indexPath: position))
      }
    }
    let moved = Set(moves.map(\.id.rawValue))
    for row in difference.removed where !moved.contains(row.id) {
      deletions.append(Item(id: ObjectID(rawValue: row.id), indexPath: old.indexPath(of: row.index)))
    }
    for row in difference.updated {
      updates.append(
        Move(id: ObjectID(rawValue: row.id), from: old.indexPath(of: row.old), to: new.indexPath(of: row.new)))
    }
    compareSections(old.rows, new.rows)
  }

  private mutating func compareSections(_ old: ResultsRows, _ new: ResultsRows) {
    guard new.hasSections else { return }
    var (left, right) = (0, 0)
    while left < old.sections.count || right < new.sections.count {
      if left == old.sections.count {
        insertedSections.append(right)
        right += 1
      } else if right == new.sections.count {
        deletedSections.append(left)
        left += 1
      } else {
        let order = new.order.keyOrder(old.sections[left].key, new.sections[right].key)
        if order > 0 { insertedSections.append(right) }
        if order < 0 { deletedSections.append(left) }
        if order >= 0 { right += 1 }
        if order <= 0 { left += 1 }
      }
    }
  }

  /// Whether nothing changed.
  public var isEmpty: Bool {
    deletions.isEmpty && insertions.isEmpty && moves.isEmpty && updates.isEmpty && deletedSections.isEmpty
      && insertedSections.isEmpty && isComplete
  }

  /// Applies the difference to the ids of the old snapshot, which are grouped by section.
  ///
  /// The method first removes deleted and moved objects, then removes old sections, then inserts new sections, and
  /// finally inserts new and moved objects in ascending order of position.
  public func apply(to sections: inout [[ObjectID<Object>]]) {
    for position in (deletions.map(\.indexPath) + moves.map(\.from)).sorted().reversed() {
      sections[position.section].remove(at: position.item)
    }
    for section in deletedSections.reversed() { sections.remove(at: section) }
    for section in insertedSections { sections.insert([], at: section) }
    let coming = insertions + moves.map { Item(id: $0.id, indexPath: $0.to) }
    for position in coming.sorted(by: { $0.indexPath < $1.indexPath }) {
      sections[position.indexPath.section].insert(position.id, at: position.indexPath.item)
    }
  }
}
