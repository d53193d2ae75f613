/// The members of one object's to-many relationship, once they are in memory: in the order of their ids, or, if it is
/// an ordered one, in that of the relationship.
@usableFromInline final class RelatedSet {
  private(set) var objects: ContiguousArray<ManagedObject>

  private let isOrdered: Bool
  /// The members of an ordered relationship, from the first question on.
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

  /// Adds an object that is not there yet; to an ordered relationship as the last one.
  func insert(_ object: ManagedObject) {
    if contains(object) { return }
    if isOrdered { objects.append(object) } else { objects.insert(object, at: place(of: object._id)) }
    members?.insert(ObjectIdentifier(object))
  }

  func remove(_ object: ManagedObject) {
    guard contains(object), let index = index(of: object) else { return }
    objects.remove(at: index)
    members?.remove(ObjectIdentifier(object))
  }

  /// Moves an object of an ordered relationship to a place, or the last one if there are fewer. False if it is there.
  func move(_ object: ManagedObject, to place: Int) -> Bool {
    guard isOrdered, let index = index(of: object) else { return false }
    let place = max(0, min(place, objects.count - 1))
    if place == index { return false }
    objects.remove(at: index)
    objects.insert(object, at: place)
    return true
  }

  /// Puts those of an ordered relationship in the order of `order`, which holds all of them; of one that it holds twice
  /// the first place counts. False if they are.
  func arrange(_ order: [ManagedObject]) -> Bool {
    guard isOrdered else { return false }
    var places: [ObjectIdentifier: Int] = [:]
    places.reserveCapacity(order.count)
    for (place, object) in order.enumerated() where places[ObjectIdentifier(object)] == nil {
      places[ObjectIdentifier(object)] = place
    }
    let isBefore = { (left: ManagedObject, right: ManagedObject) in
      places[ObjectIdentifier(left), default: .max] < places[ObjectIdentifier(right), default: .max]
    }
    if zip(objects, objects.dropFirst()).allSatisfy({ !isBefore($1, $0) }) { return false }
    objects.sort(by: isBefore)
    return true
  }

  /// Where the object is, if it is there. In an ordered relationship the last ones are the likeliest to be asked for.
  private func index(of object: ManagedObject) -> Int? {
    if isOrdered { return objects.lastIndex { $0 === object } }
    let place = place(of: object._id)
    return place < objects.count && objects[place] === object ? place : nil
  }

  /// Where the object with this id is, or belongs.
  private func place(of id: Int64) -> Int {
    var low = 0
    var high = objects.count
    while low < high {
      let middle = (low + high) / 2
      if objects[middle]._id < id { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
