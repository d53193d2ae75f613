/// The members of one object's to-many relationship, once they are in memory. They are sorted by id or, in an ordered
/// relationship, by its order.
@usableFromInline final class RelatedSet {
  private(set) var objects: ContiguousArray<ManagedObject>

  private let isOrdered: Bool
  /// The members of an ordered relationship, created by the first membership test.
  private var members: Set<ObjectIdentifier>?

  init(_ objects: ContiguousArray<ManagedObject>, isOrdered: Bool) {
    self.objects = objects
    self.isOrdered = isOrdered
  }

  func contains(_ object: ManagedObject) -> Bool {
    guard isOrdered else { return index(of: object) != nil }
    if let members { return members.contains(ObjectIdentifier(object)) }
    let all = Set(objects.map { ObjectIdentifier($0) })
    members = all
    return all.contains(ObjectIdentifier(object))
  }

  /// Adds an object that is not yet a member. In an ordered relationship, it becomes the last one.
  func insert(_ object: ManagedObject) {
    if contains(object) { return }
    if isOrdered { objects.append(object) } else { objects.insert(object, at: insertionIndex(of: object._id)) }
    members?.insert(ObjectIdentifier(object))
  }

  func remove(_ object: ManagedObject) {
    guard contains(object), let index = index(of: object) else { return }
    objects.remove(at: index)
    members?.remove(ObjectIdentifier(object))
  }

  /// Moves an object of an ordered relationship to an index, clamped to the last one. Returns false if this changes
  /// nothing.
  func move(_ object: ManagedObject, to destination: Int) -> Bool {
    guard isOrdered, let index = index(of: object) else { return false }
    let destination = max(0, min(destination, objects.count - 1))
    if destination == index { return false }
    objects.remove(at: index)
    objects.insert(object, at: destination)
    return true
  }

  /// Sorts the members of an ordered relationship by `order`, which contains all of them. If it contains one twice, its
  /// first index counts. Returns false if this changes nothing.
  func arrange(_ order: [ManagedObject]) -> Bool {
    guard isOrdered else { return false }
    var indexes: [ObjectIdentifier: Int] = [:]
    indexes.reserveCapacity(order.count)
    for (index, object) in order.enumerated() where indexes[ObjectIdentifier(object)] == nil {
      indexes[ObjectIdentifier(object)] = index
    }
    let isBefore = { (left: ManagedObject, right: ManagedObject) in
      indexes[ObjectIdentifier(left), default: .max] < indexes[ObjectIdentifier(right), default: .max]
    }
    if zip(objects, objects.dropFirst()).allSatisfy({ !isBefore($1, $0) }) { return false }
    objects.sort(by: isBefore)
    return true
  }

  /// The index of the object, if it is a member. In an ordered relationship the last ones are the most likely to be
  /// needed.
  private func index(of object: ManagedObject) -> Int? {
    if isOrdered { return objects.lastIndex { $0 === object } }
    let index = insertionIndex(of: object._id)
    return index < objects.count && objects[index] === object ? index : nil
  }

  /// The index of the object with this id, or the index at which it would be inserted.
  private func insertionIndex(of id: Int64) -> Int { objects.partitioningIndex { $0._id >= id } }
}
