/// The kinds of the containers that a validating skip has open, one byte each, so that nesting needs no recursion.
///
/// The stack owns its memory. `capacity` is the nesting limit, and the skip never writes at or beyond it.
final class SkipStack {
  let kinds: UnsafeMutablePointer<UInt8>
  let capacity: Int

  init(capacity: Int) {
    self.capacity = max(capacity, 1)
    kinds = .allocate(capacity: self.capacity)
    kinds.initialize(repeating: 0, count: self.capacity)
  }

  deinit { kinds.deallocate() }

  static let array: UInt8 = 0
  static let object: UInt8 = 1
}
