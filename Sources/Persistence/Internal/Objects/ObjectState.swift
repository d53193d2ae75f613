/// The bits of an object's state.
@usableFromInline enum ObjectState {
  /// A row is being read into it: setters drop writes, so that code in `init` cannot change what was read.
  @inlinable static var making: UInt32 { 1 }
  /// Deleted, or its insertion rolled back: setters refuse writes.
  @inlinable static var deleted: UInt32 { 2 }
  /// Deleted, because another context has deleted its row.
  @inlinable static var deletedElsewhere: UInt32 { 64 }
  /// Inserted, and not yet committed.
  @inlinable static var fresh: UInt32 { 4 }
  /// Fresh, and already written to the open transaction.
  @inlinable static var written: UInt32 { 8 }
  /// Fresh, under an id that a row has had before, here or in another store.
  @inlinable static var returned: UInt32 { 32 }
  /// A schema's sample: reading an attribute is reported.
  @inlinable static var watched: UInt32 { 16 }

  /// What reading the id is reported as.
  @inlinable static var idSlot: UInt32 { .max }
}
