internal import CLarderThreadSlot

extension RowCursor {
  /// The cursor of the object that is being created on this thread.
  ///
  /// Only ``whileCurrent(_:)`` sets the slot. It contains nil or a cursor on this thread's stack.
  @usableFromInline static var current: UnsafeMutablePointer<RowCursor>? {
    larder_thread_slot()?.assumingMemoryBound(to: RowCursor.self)
  }

  /// Makes the cursor current during `body`. Calls nest.
  @inline(__always) mutating func whileCurrent<Result, Failure: Error>(
    _ body: (UnsafeMutablePointer<RowCursor>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let outer = RowCursor.current
    return try withUnsafeMutablePointer(to: &self) { (mine) throws(Failure) -> Result in
      // Current only for as long as the pointer is valid.
      larder_set_thread_slot(mine)
      defer { larder_set_thread_slot(outer) }
      return try body(mine)
    }
  }
}
