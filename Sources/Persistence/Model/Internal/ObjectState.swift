/// The bits of an object's state.
@usableFromInline enum ObjectState {
  /// A row is being read into the object. Setters discard writes, so that code in `init` cannot change what was read.
  @inlinable static var making: UInt32 { 1 }
  /// The object is deleted, or its insertion was rolled back. Setters reject writes.
  @inlinable static var deleted: UInt32 { 2 }
  /// The object is deleted because another context deleted its row.
  @inlinable static var deletedElsewhere: UInt32 { 64 }
  /// The object is inserted and not yet committed.
  @inlinable static var fresh: UInt32 { 4 }
  /// The object is fresh and already written to the open transaction.
  @inlinable static var written: UInt32 { 8 }
  /// The object is fresh, but under an id that a row already had, here or in another store.
  @inlinable static var returned: UInt32 { 32 }
  /// Reading an attribute is reported: the object is a schema's sample, or belongs to a context whose objects are
  /// observed.
  @inlinable static var watched: UInt32 { 16 }
  /// The bits above are the number of the object's observers: see `ObservedObjects`.
  @inlinable static var observerShift: Int { 8 }
  /// The number of the first to-many relationship among an object's observed properties. Slots are the others' numbers.
  @inlinable static var firstRelation: Int { 128 }

  /// The slot that is reported when the id is read.
  @inlinable static var idSlot: UInt32 { .max }
}
