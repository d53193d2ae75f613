/// The difference between two successive snapshots.
///
/// Deletions, and the origins of moves and updates, are positions in the old snapshot. Insertions, and the destinations
/// of moves and updates, are positions in the new one. Each list is in ascending order, as list views expect. An object
/// whose sort keys changed without moving it past another object is listed as updated, not moved. A moved object should
/// also be redisplayed. ``apply(to:)`` defines the exact meaning of the lists.
public struct ResultsDifference<Object: ManagedObject>: Sendable {
  /// An object and its position.
  public struct Item: Sendable, Hashable {
    /// The object.
    public let id: ObjectID<Object>
    /// The object's position.
    public let indexPath: ResultsIndexPath
  }

  /// An object, and its old and new positions.
  public struct Move: Sendable, Hashable {
    /// The object.
    public let id: ObjectID<Object>
    /// The old position.
    public let from: ResultsIndexPath
    /// The new position.
    public let to: ResultsIndexPath
  }

  /// Sections of the old snapshot that are no longer present. All of their objects were deleted or moved.
  public private(set) var deletedSections: [Int] = []
  /// Sections of the new snapshot that were not in the old one.
  public private(set) var insertedSections: [Int] = []
  /// Objects that were removed.
  public private(set) var deletions: [Item] = []
  /// Objects that were added.
  public private(set) var insertions: [Item] = []
  /// Objects that have moved, in the order of their new positions.
  public private(set) var moves: [Move] = []
  /// Objects whose values have changed but whose position relative to the other objects has not.
  public private(set) var updates: [Move] = []
  /// Whether all objects with changed values are listed. If this is false, all displayed objects must be redisplayed.
  public let isComplete: Bool

  init(_ difference: RowsDifference, from old: ResultsSnapshot<Object>, to new: ResultsSnapshot<Object>) {
    isComplete = difference.isComplete
    var gone: [Int64: Int] = [:]
    if !difference.inserted.isEmpty { for row in difference.removed { gone[row.id] = row.index } }
    for row in difference.inserted {
      let place = new.indexPath(of: row.index)
      if let from = gone.removeValue(forKey: row.id) {
        moves.append(Move(id: ObjectID(rawValue: row.id), from: old.indexPath(of: from), to: place))
      } else {
        insertions.append(Item(id: ObjectID(rawValue: row.id), indexPath: place))
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

  /// Applies the difference to the ids of the old snapshot, section by section.
  ///
  /// The method first removes deleted and moved objects, then removes old sections, then inserts new sections, and
  /// finally inserts new and moved objects in ascending order.
  public func apply(to sections: inout [[ObjectID<Object>]]) {
    for place in (deletions.map(\.indexPath) + moves.map(\.from)).sorted().reversed() {
      sections[place.section].remove(at: place.item)
    }
    for section in deletedSections.reversed() { sections.remove(at: section) }
    for section in insertedSections { sections.insert([], at: section) }
    let coming = insertions + moves.map { Item(id: $0.id, indexPath: $0.to) }
    for place in coming.sorted(by: { $0.indexPath < $1.indexPath }) {
      sections[place.indexPath.section].insert(place.id, at: place.indexPath.item)
    }
  }
}
