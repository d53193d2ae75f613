/// Elements under construction in raw memory: destroyed with it unless they have become an array.
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
    take { elements, count in
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
