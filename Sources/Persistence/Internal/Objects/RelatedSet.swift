/// The members of one object's to-many relationship, once they are in memory: in the order of their ids, or, if it is an
/// ordered one, in that of the relationship.
@usableFromInline final class RelatedSet {
  var objects: ContiguousArray<ManagedObject>

  private let isOrdered: Bool

  init(_ objects: ContiguousArray<ManagedObject>, isOrdered: Bool) {
    self.objects = objects
    self.isOrdered = isOrdered
  }

  /// Where the object is, if it is there.
  private func index(of object: ManagedObject) -> Int? {
    if isOrdered { return objects.firstIndex { $0 === object } }
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

  func contains(_ object: ManagedObject) -> Bool {
    index(of: object) != nil
  }

  func insert(_ object: ManagedObject) {
    if index(of: object) != nil { return }
    if isOrdered { objects.append(object) } else { objects.insert(object, at: place(of: object._id)) }
  }

  func remove(_ object: ManagedObject) {
    if let index = index(of: object) { objects.remove(at: index) }
  }

  /// Moves an object of an ordered relationship to a place, or the last one if there are fewer.
  func move(_ object: ManagedObject, to place: Int) {
    guard isOrdered, let index = index(of: object) else { return }
    objects.remove(at: index)
    objects.insert(object, at: max(0, min(place, objects.count)))
  }

  /// Puts those of an ordered relationship in the order of `objects`, which holds all of them; of one that it holds twice the
  /// last place counts.
  func arrange(_ objects: [ManagedObject]) {
    guard isOrdered else { return }
    var places: [ObjectIdentifier: Int] = [:]
    places.reserveCapacity(objects.count)
    for (place, object) in objects.enumerated() { places[ObjectIdentifier(object)] = place }
    self.objects.sort { places[ObjectIdentifier($0), default: .max] < places[ObjectIdentifier($1), default: .max] }
  }
}
