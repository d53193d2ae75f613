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
  /// The object is a schema's sample, and reading an attribute is reported.
  @inlinable static var watched: UInt32 { 16 }

  /// The slot that is reported when the id is read.
  @inlinable static var idSlot: UInt32 { .max }
}
