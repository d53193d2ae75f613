internal import CThreadSlot

/// Edits that cannot be made. None is lost without a word: the space keeps those of deleted objects until a rollback,
/// and each save until then throws; using an object outside its context fails the closure in which it happens.
extension ObjectTable {
  /// An assignment to a property of a deleted object.
  ///
  /// A policy that prefers the other context's values discards edits of objects that the other context has deleted. An
  /// edit after a deletion in this context is refused under every policy.
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
    // Of a text that is typed on and on the last state counts.
    if let known { space.refusedEdits[known] = edit } else { space.refusedEdits.append(edit) }
  }

  /// An edit of an object of another context fails the closure that makes it.
  @inline(never) func refuseOutsideContext() {
    space.fail(ObjectSpace.running == nil ? .wrongContext : .foreignObject(type: entity.name))
  }
}

extension ObjectSpace {
  /// Before anything is saved.
  func throwRefusedEdits() throws(PersistenceError) {
    guard let first = refusedEdits.first else { return }
    let attributes = refusedEdits.filter { $0.type == first.type && $0.id == first.id }
    throw .conflict(Conflict(kind: .deleted, type: first.type, id: first.id, attributes: Array(attributes)))
  }

  /// The space whose closure runs on this thread.
  ///
  /// Only ``becomeRunning()`` and ``stopRunning(_:)`` set the slot: it holds a space that the closure's caller keeps
  /// alive, or nil.
  static var running: ObjectSpace? {
    larder_thread_space().map { Unmanaged<ObjectSpace>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Returns what ran on this thread before, for ``stopRunning(_:)``.
  func becomeRunning() -> UnsafeMutableRawPointer? {
    let outer = larder_thread_space()
    larder_set_thread_space(Unmanaged.passUnretained(self).toOpaque())
    return outer
  }

  func stopRunning(_ outer: UnsafeMutableRawPointer?) { larder_set_thread_space(outer) }
}
