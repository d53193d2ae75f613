internal import CLarderThreadSlot

/// Handles edits that cannot be made. None is lost silently: the space records edits of deleted objects until a
/// rollback, and every save until then throws. Using an object outside its context fails the closure in which it
/// happens.
extension EntityRegistry {
  /// Rejects an assignment to a property of a deleted object.
  ///
  /// If the policy prefers the other context's values, edits of objects that the other context has deleted are
  /// discarded. An edit after a deletion in this context is rejected under every policy.
  func refuse(
    _ object: ManagedObject, _ property: String, base: StoredValue = .null, mine: StoredValue = .null
  ) {
    guard isolation.pointee.isCurrent else { return refuseOutsideContext() }
    if object._state & ObjectState.deletedElsewhere != 0, space.mergePolicy.prefersTheirs { return }
    let edit = AttributeConflict(
      type: entity.name, id: object._id, attribute: property, base: base, mine: mine, theirs: .null)
    let known = space.refusedEdits.firstIndex {
      $0.type == edit.type && $0.id == edit.id && $0.attribute == property
    }
    // If the user keeps typing, only the last text counts.
    if let known { space.refusedEdits[known] = edit } else { space.refusedEdits.append(edit) }
  }

  /// Rejects an edit outside the object's context. Fails the closure that makes it.
  @inline(never) func refuseOutsideContext() {
    space.fail(ObjectSpace.running == nil ? .wrongContext : .foreignObject(type: entity.name))
  }
}

extension ObjectSpace {
  /// Throws if edits of deleted objects were rejected. Call this before saving.
  func throwRefusedEdits() throws(PersistenceError) {
    guard let first = refusedEdits.first else { return }
    let attributes = refusedEdits.filter { $0.type == first.type && $0.id == first.id }
    throw .conflict(MergeConflict(kind: .deleted, type: first.type, id: first.id, attributes: Array(attributes)))
  }

  /// The space whose closure is running on this thread.
  ///
  /// Only ``becomeRunning()`` and ``stopRunning(_:)`` set the slot. It contains a space that the closure's caller keeps
  /// alive, or nil.
  static var running: ObjectSpace? {
    larder_thread_space().map { Unmanaged<ObjectSpace>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Returns what was running on this thread before. Pass it to ``stopRunning(_:)``.
  func becomeRunning() -> UnsafeMutableRawPointer? {
    let outer = larder_thread_space()
    larder_set_thread_space(Unmanaged.passUnretained(self).toOpaque())
    return outer
  }

  func stopRunning(_ outer: UnsafeMutableRawPointer?) { larder_set_thread_space(outer) }
}
