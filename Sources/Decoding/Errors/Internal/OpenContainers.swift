/// The objects and arrays that are open at an offset in a text, found in one pass without parsing their content.
///
/// Like `skipStructure`, it examines only quotes, brackets and commas, 64 bytes at a time. Everything before the offset
/// is known to be well-formed.
struct OpenContainers {
  struct Container {
    /// The index after the opening bracket or the last comma, where the last member or element begins.
    var last: Int
    let isObject: Bool
    /// The number of commas between the container's own members or elements.
    var commas = 0
  }

  private let text: ByteView
  /// From the outermost to the innermost.
  let containers: [Container]

  init(_ text: ByteView, from start: Int, to end: Int) { self.init(text, from: start, inside: [], to: end) }

  /// Continues from the beginning of a value, up to which the containers were found.
  init(_ text: ByteView, from start: Int, inside outer: [Container], to end: Int) {
    self.text = text
    var stack = RawElements<Container>()
    for container in outer { stack.push(container) }
    defer { stack.destroy() }
    var inString: UInt64 = 0
    var escaped: UInt64 = 0
    var index = start
    while index &+ 64 <= end {
      stack.pass(StructureBlock(text, at: index, inString: &inString, escaped: &escaped), at: index, of: text)
      index &+= 64
    }
    // The last bytes are copied into a separate block that is padded with spaces.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64) { block in
      block.initialize(repeating: 0x20)
      for place in 0..<max(end &- index, 0) { block[place] = text[index &+ place] }
      let view = ByteView(UnsafeRawBufferPointer(block))
      stack.pass(StructureBlock(view, at: 0, inString: &inString, escaped: &escaped), at: index, of: text)
    }
    containers = stack.makeArray()
  }

  /// The steps to the innermost container.
  var steps: [PathStep] {
    containers.dropLast().compactMap { container in
      guard container.isObject else { return .index(container.commas) }
      var index = container.last
      return (try? text.nextName(&index)).map { .name($0) }
    }
  }

  /// Returns the steps to the innermost value that contains an offset, up to which the containers were found.
  func steps(to offset: Int) -> [PathStep] {
    guard let container = containers.last else { return [] }
    var start = container.last
    do throws(JSONSyntaxError) {
      let step = container.isObject ? PathStep.name(try text.nextName(&start)) : .index(container.commas)
      start = text.skipSpace(start)
      if offset == start { return steps + [step] }
      // An object or array here was closed before the offset. A string or number that cannot be skipped contains it.
      let isContainer = start == text.count || text[start] | 0x20 == 0x7B
      let end = isContainer || offset < start ? 0 : text.skipScalar(start)
      if end < 0 || offset < end { return steps + [step] }
    } catch {
      // The fault is before the value, in the container itself.
    }
    return steps
  }
}

/// The open containers are in raw memory, because an array's checks took half of the time.
extension RawElements<OpenContainers.Container> {
  @inline(__always)
  fileprivate mutating func pass(_ block: StructureBlock, at offset: Int, of text: ByteView) {
    var brackets = block.opens | block.closes
    var commas = block.commas
    while brackets != 0 {
      let bit = brackets & (~brackets &+ 1)
      add(commas & (bit &- 1), at: offset)
      commas &= ~(bit &- 1)
      if block.opens & bit != 0 {
        let index = offset &+ bit.trailingZeroBitCount
        push(Element(last: index &+ 1, isObject: text[index] == 0x7B))
      } else if count > 0 {
        count &-= 1
      }
      brackets &= brackets &- 1
    }
    add(commas, at: offset)
  }

  @inline(__always)
  fileprivate mutating func push(_ container: Element) {
    next().initializeMemory(as: Element.self, to: container)
    count &+= 1
  }

  @inline(__always)
  private func add(_ commas: UInt64, at offset: Int) {
    guard commas != 0, count > 0 else { return }
    last.pointee.commas &+= commas.nonzeroBitCount
    last.pointee.last = offset &+ 64 &- commas.leadingZeroBitCount
  }
}
