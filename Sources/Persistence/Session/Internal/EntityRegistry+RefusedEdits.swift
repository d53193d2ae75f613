internal import CLarderThreadSlot

/// An edit that could not be made.
enum RefusedEdit {
  /// An assignment to a property of a deleted object.
  case ofDeleted(AttributeConflict)
  /// An edit that depends on related objects that could not be read.
  case unread(UnreadRelationship, Kind)

  enum Kind: Equatable {
    /// An insertion at a position, or a move, described by its arguments.
    case arrangement(String)
    case assignment
    case deletion

    /// An arrangement depends on what it was applied to, so it takes the place only of the same one.
    func replaces(_ other: Kind) -> Bool {
      switch (self, other) {
      case (.deletion, _), (.assignment, .assignment), (.assignment, .arrangement): true
      case (.arrangement, _), (.assignment, .deletion): self == other
      }
    }
  }
}

/// Handles edits that cannot be made. None is lost silently: the space records them until a rollback, or until an edit
/// is made again, and every save until then throws. Using an object outside its context fails the closure in which it
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
      guard case .ofDeleted(let known) = $0 else { return false }
      return known.type == edit.type && known.id == edit.id && known.attribute == property
    }
    // If the user keeps typing, only the last text counts.
    if let known { space.refusedEdits[known] = .ofDeleted(edit) } else { space.refusedEdits.append(.ofDeleted(edit)) }
  }

  /// Runs the part of an edit that reads a relationship. Returns nil if that fails: then the edit must not be made.
  func readToEdit<Value>(
    _ relationship: Relationship, of object: ManagedObject, for kind: @autoclosure () -> RefusedEdit.Kind,
    _ body: () throws(PersistenceError) -> Value
  ) -> Value? {
    do throws(PersistenceError) {
      let value = try body()
      if !space.refusedEdits.isEmpty { forgetRefusals(of: object, relationship, replacedBy: kind()) }
      return value
    } catch {
      refuse(object, relationship, for: kind(), unreadBecause: error)
      return nil
    }
  }

  func refuse(
    _ object: ManagedObject, _ relationship: Relationship, for kind: RefusedEdit.Kind,
    unreadBecause error: PersistenceError
  ) {
    // A closure fails with its first error.
    if space.unit.phase == .persisting { return space.fail(error) }
    let edit = UnreadRelationship(
      type: entity.name, id: object._id, relationship: relationship.property, reason: error)
    space.refusedEdits.append(.unread(edit, kind))
  }

  /// Called when an edit was made that takes the place of those that were refused.
  ///
  /// - Parameter relationship: Nil if the object was deleted, for everything that was refused.
  func forgetRefusals(
    of object: ManagedObject, _ relationship: Relationship? = nil, replacedBy new: RefusedEdit.Kind = .deletion
  ) {
    space.refusedEdits.removeAll { edit in
      guard case .unread(let edit, let kind) = edit, edit.type == entity.name, edit.id == object._id else {
        return false
      }
      return new.replaces(kind) && relationship?.property ?? edit.relationship == edit.relationship
    }
  }

  /// Rejects an edit outside the object's context. Fails the closure that makes it.
  @inline(never) func refuseOutsideContext() {
    space.fail(ObjectSpace.running == nil ? .wrongContext : .foreignObject(type: entity.name))
  }
}

extension ObjectSpace {
  /// Throws if edits could not be made. Call this before saving.
  func throwRefusedEdits() throws(PersistenceError) {
    switch refusedEdits.first {
    case nil: return
    case .unread(let edit, _): throw .unreadRelationship(edit)
    case .ofDeleted(let first):
      let attributes = refusedEdits.compactMap { edit -> AttributeConflict? in
        guard case .ofDeleted(let edit) = edit, edit.type == first.type, edit.id == first.id else { return nil }
        return edit
      }
      throw .conflict(MergeConflict(kind: .deleted, type: first.type, id: first.id, attributes: attributes))
    }
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
