internal import Foundation
internal import Synchronization

/// The thread's slot for its cursor, one above its pthread key; zero before the first cursor is set. A pthread key needs
/// no C target, and costs 2 to 3 ns more than a C thread-local. Atomic, because a lazy global would ask at every attribute
/// whether it is initialised; relaxed, because a thread that does not see the key yet has set no cursor of its own.
private let cursorSlot = Atomic<UInt>(0)

/// Makes the slot, once.
private let madeCursorSlot: Bool = {
  var key = pthread_key_t()
  guard pthread_key_create(&key, nil) == 0 else { return false }
  cursorSlot.store(UInt(key) + 1, ordering: .relaxed)
  return true
}()

extension RowCursor {
  /// The cursor of the object that is being made on this thread.
  @usableFromInline static var current: UnsafeMutablePointer<RowCursor>? {
    let slot = cursorSlot.load(ordering: .relaxed)
    guard slot != 0 else { return nil }
    return pthread_getspecific(pthread_key_t(slot &- 1))?.assumingMemoryBound(to: RowCursor.self)
  }

  /// Whether threads have a slot; without one no object can be made, and no schema is valid.
  static var isAvailable: Bool { madeCursorSlot }

  /// Makes the cursor current during `body`. Calls nest.
  @inline(__always) mutating func whileCurrent<Result, Failure: Error>(
    _ body: (UnsafeMutablePointer<RowCursor>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let outer = RowCursor.current
    return try withUnsafeMutablePointer(to: &self) { (mine) throws(Failure) -> Result in
      // Current for as long as the pointer is valid, and no longer.
      RowCursor.set(mine)
      defer { RowCursor.set(outer) }
      return try body(mine)
    }
  }

  private static func set(_ cursor: UnsafeMutablePointer<RowCursor>?) {
    guard madeCursorSlot else { return }
    pthread_setspecific(pthread_key_t(cursorSlot.load(ordering: .relaxed) &- 1), cursor)
  }
}
