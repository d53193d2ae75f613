/// What makes one snapshot of the one before it.
///
/// Deletions, and where moves and updates come from, are places in the old snapshot; insertions, and where they lead,
/// are places in the new one; each list is in rising order. That is the form in which lists on a screen take their
/// changes. An object whose sort keys have changed without moving it past another one is updated, not moved; one that
/// has moved is to be shown anew too. ``apply(to:)`` says exactly what the lists mean.
public struct ResultsDifference<Object: ManagedObject>: Sendable {
  /// An object and its place.
  public struct Place: Sendable, Hashable {
    /// The object.
    public let id: ObjectID<Object>
    /// Where it was, or is.
    public let position: ResultsPosition
  }

  /// An object, and its places before and after.
  public struct Move: Sendable, Hashable {
    /// The object.
    public let id: ObjectID<Object>
    /// Where it was.
    public let from: ResultsPosition
    /// Where it is.
    public let to: ResultsPosition
  }

  /// Sections of the old snapshot that are gone. Every object that was in them has been deleted or moved.
  public private(set) var deletedSections: [Int] = []
  /// Sections of the new snapshot that are new.
  public private(set) var insertedSections: [Int] = []
  /// Objects that are no longer there.
  public private(set) var deletions: [Place] = []
  /// Objects that were not there.
  public private(set) var insertions: [Place] = []
  /// Objects that stand elsewhere, by where they lead.
  public private(set) var moves: [Move] = []
  /// Objects that stand where they were among the others, and have other values.
  public private(set) var updates: [Move] = []
  /// False if objects may have other values without being listed, so that all that is shown is to be shown anew.
  public let isComplete: Bool

  init(_ difference: RowsDifference, from old: ResultsSnapshot<Object>, to new: ResultsSnapshot<Object>) {
    isComplete = difference.isComplete
    var gone: [Int64: Int] = [:]
    if !difference.inserted.isEmpty { for row in difference.removed { gone[row.id] = row.index } }
    for row in difference.inserted {
      let place = new.position(of: row.index)
      if let from = gone.removeValue(forKey: row.id) {
        moves.append(Move(id: ObjectID(rawValue: row.id), from: old.position(of: from), to: place))
      } else {
        insertions.append(Place(id: ObjectID(rawValue: row.id), position: place))
      }
    }
    let moved = Set(moves.map(\.id.rawValue))
    for row in difference.removed where !moved.contains(row.id) {
      deletions.append(Place(id: ObjectID(rawValue: row.id), position: old.position(of: row.index)))
    }
    for row in difference.updated {
      updates.append(
        Move(id: ObjectID(rawValue: row.id), from: old.position(of: row.old), to: new.position(of: row.new)))
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

  /// Whether nothing has changed.
  public var isEmpty: Bool {
    deletions.isEmpty && insertions.isEmpty && moves.isEmpty && updates.isEmpty && deletedSections.isEmpty
      && insertedSections.isEmpty && isComplete
  }

  /// Makes the ids of the new snapshot of those of the old one, section by section: what is deleted and what moves is
  /// taken out, then old sections are, then new sections and all that comes are put in, in rising order.
  public func apply(to sections: inout [[ObjectID<Object>]]) {
    for place in (deletions.map(\.position) + moves.map(\.from)).sorted().reversed() {
      sections[place.section].remove(at: place.item)
    }
    for section in deletedSections.reversed() { sections.remove(at: section) }
    for section in insertedSections { sections.insert([], at: section) }
    let coming = insertions + moves.map { Place(id: $0.id, position: $0.to) }
    for place in coming.sorted(by: { $0.position < $1.position }) {
      sections[place.position.section].insert(place.id, at: place.position.item)
    }
  }
}
