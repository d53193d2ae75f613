internal import CThreadSlot

extension RowCursor {
  /// The cursor of the object that is being made on this thread.
  ///
  /// Nothing but ``whileCurrent(_:)`` sets the slot: what is in it is a cursor on this thread's own stack, or nil.
  @usableFromInline static var current: UnsafeMutablePointer<RowCursor>? {
    larder_thread_slot()?.assumingMemoryBound(to: RowCursor.self)
  }

  /// Makes the cursor current during `body`. Calls nest.
  @inline(__always) mutating func whileCurrent<Result, Failure: Error>(
    _ body: (UnsafeMutablePointer<RowCursor>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let outer = RowCursor.current
    return try withUnsafeMutablePointer(to: &self) { (mine) throws(Failure) -> Result in
      // Current for as long as the pointer is valid, and no longer.
      larder_set_thread_slot(mine)
      defer { larder_set_thread_slot(outer) }
      return try body(mine)
    }
  }
}
