/// What an object asks of the part of its context that owns it.
///
/// A class and not a protocol, because an object refers to its owner with a single unmanaged pointer. Each call is an
/// indirect one. The registry of a class is the only subclass, and overrides all methods. Those here are of an owner
/// that has nothing, and accepts no edit.
///
/// Relationships are denoted by their numbers, as in the objects: a to-one relationship by its slot, a to-many
/// relationship by its index.
@usableFromInline class ObjectOwner {
  /// Called from the object's `deinit`.
  func forget(_ object: ManagedObject) {}

  /// Stops the program if the object is used outside its context and the store is configured to stop there.
  func checkIsolation() {}

  // Attributes

  /// Records the old value and registers the object as changed. Returns false if the write must be dropped.
  func willChange(_ object: ManagedObject, _ slot: Int) -> Bool { false }

  /// Called instead of ``willChange(_:_:)`` before each assignment to an attribute of an observed object.
  func willSet(_ object: ManagedObject, _ slot: Int) -> Bool { false }

  /// Called after an assignment to an attribute of an observed object.
  func didSet(_ object: ManagedObject, _ slot: Int) {}

  /// Called for each read of a property of an observed object.
  func didRead(_ object: ManagedObject, _ property: Int) {}

  /// Records an assignment to an attribute of a deleted object.
  func refuse(_ value: StoredValue, for slot: Int, of object: ManagedObject) {}

  // To-one relationships

  /// Returns the related object, and fetches it if it is not in memory.
  func target(of object: ManagedObject, slot: Int, id: Int64) -> ManagedObject? { nil }

  /// Sets the relationship and its inverse, or records that this could not be done.
  func assignTarget(of object: ManagedObject, slot: Int, to target: ManagedObject?) {}

  // To-many relationships

  /// Returns the members, and fetches them if they are not in memory.
  func members(of owner: ManagedObject, relation: Int) -> ContiguousArray<ManagedObject> { [] }

  func memberCount(of owner: ManagedObject, relation: Int) -> Int { 0 }

  func hasMembers(_ owner: ManagedObject, relation: Int) -> Bool { false }

  func firstMember(of owner: ManagedObject, relation: Int) -> ManagedObject? { nil }

  func isMember(_ object: ManagedObject, of owner: ManagedObject, relation: Int) -> Bool { false }

  /// Whether the relationship can be changed here. If not, that is recorded. Called before each of the changes below.
  func mayEdit(_ owner: ManagedObject, relation: Int) -> Bool { false }

  /// - Parameter index: Where the member is inserted if the relationship is ordered, or nil for the end.
  func insertMember(_ object: ManagedObject, into owner: ManagedObject, relation: Int, at index: Int?) {}

  func removeMember(_ object: ManagedObject, from owner: ManagedObject, relation: Int) {}

  func setMembers(of owner: ManagedObject, relation: Int, to objects: [ManagedObject]) {}

  /// Changes the order of an ordered relationship's members, which are fetched if they are not in memory.
  ///
  /// - Parameter name: Describes the change, to tell whether it is made again after it was refused.
  func arrangeMembers(
    of owner: ManagedObject, relation: Int, as name: String, _ change: (inout ContiguousArray<ManagedObject>) -> Void
  ) {}
}
