/// The members of one object's to-many relationship, once they are in memory, in the order of their ids.
@usableFromInline final class RelatedSet {
  var objects: ContiguousArray<ManagedObject>

  init(_ objects: ContiguousArray<ManagedObject>) { self.objects = objects }

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
    let place = place(of: object._id)
    return place < objects.count && objects[place] === object
  }

  func insert(_ object: ManagedObject) {
    let place = place(of: object._id)
    if place < objects.count && objects[place] === object { return }
    objects.insert(object, at: place)
  }

  func remove(_ object: ManagedObject) {
    let place = place(of: object._id)
    if place < objects.count && objects[place] === object { objects.remove(at: place) }
  }
}
