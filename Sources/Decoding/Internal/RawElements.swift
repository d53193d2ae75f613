/// Elements under construction in raw memory: destroyed with it unless they have become an array.
///
/// Whoever initializes the memory from ``next()`` binds it to `Element`, or to `AnyObject` where an element is one
/// reference, and only then counts the element. All other accesses are to counted elements.
struct RawElements<Element> {
  private static var stride: Int { MemoryLayout<Element>.stride }
  private static var alignment: Int { Swift.max(MemoryLayout<Element>.alignment, 16) }

  private var memory = UnsafeMutableRawPointer.allocate(byteCount: 4 * stride, alignment: alignment)
  private var capacity = 4
  /// How many elements are initialized.
  var count = 0

  /// Where the next element goes; there is room.
  @inline(__always)
  mutating func next() -> UnsafeMutableRawPointer {
    if count == capacity { grow() }
    return memory + count &* Self.stride
  }

  /// The last element, of at least one.
  @inline(__always)
  var last: UnsafeMutablePointer<Element> { memory.assumingMemoryBound(to: Element.self) + (count &- 1) }

  @inline(never)
  private mutating func grow() {
    capacity *= 2
    let grown = UnsafeMutableRawPointer.allocate(byteCount: capacity * Self.stride, alignment: Self.alignment)
    grown.assumingMemoryBound(to: Element.self)
      .moveInitialize(from: memory.assumingMemoryBound(to: Element.self), count: count)
    memory.deallocate()
    memory = grown
  }

  /// Passes the elements to a closure, which moves each one out of its memory.
  @inline(__always)
  mutating func take<Result>(_ body: (UnsafeMutablePointer<Element>, _ count: Int) -> Result) -> Result {
    let count = count
    self.count = 0
    return body(memory.assumingMemoryBound(to: Element.self), count)
  }

  mutating func makeArray() -> [Element] {
    // Without elements, the initializer would write to the empty array that all threads share.
    if count == 0 { return [] }
    return take { elements, count in
      [Element](unsafeUninitializedCapacity: count) { buffer, initialized in
        buffer.baseAddress?.moveInitialize(from: elements, count: count)
        initialized = count
      }
    }
  }

  func destroy() {
    memory.assumingMemoryBound(to: Element.self).deinitialize(count: count)
    memory.deallocate()
  }
}
