extension Array: DirectlyDecodable where Element: Decodable {
  static func decodeDirectly(_ state: DecodingState, _ value: UInt32, _ node: Int) throws -> AnyObject {
    if Element.self == Double.self { return object(of: try state.doubles(value, node)) }
    if Element.self == Int.self { return object(of: try state.integers(value, node)) }
    if Element.self == String.self { return object(of: try state.strings(value, node)) }
    if Element.self == [Double].self { return object(of: try state.doubleMatrix(value, node)) }
    if Element.self == [[Double]].self { return object(of: try state.doubleCube(value, node)) }
    if Element.self == [Int].self { return object(of: try state.integerMatrix(value, node)) }
    return try decodeElements(state, value, node)
  }

  /// Creates the elements in raw memory, where they cost only value-witness calls, and moves them into an array once.
  private static func decodeElements(_ state: DecodingState, _ value: UInt32, _ node: Int) throws -> AnyObject {
    let scanner = state.scanner
    let core = scanner.core
    var index = try state.openArray(value, node)
    if index == 0 { return object(of: [Int]()) }  // every empty array is the same object
    let slot = state.slot(for: Element.self)
    // One node serves every element.
    let elementNode = scanner.pushNode(0, parent: node, key: 0, .index)
    core.pointee.frame = elementNode
    let depth = Int(scanner.node(elementNode).pointee.depth)
    let mark = core.pointee.arenaCount
    var elements = RawElements<Element>()
    defer { elements.destroy() }
    while index != 0 {
      let place = UInt32(truncatingIfNeeded: index)
      let current = scanner.node(elementNode)
      current.pointee.value = place
      current.pointee.key = UInt32(truncatingIfNeeded: elements.count)
      current.pointee.phase = .closed
      current.pointee.invalid = 0
      let target = elements.next()
      switch slot.kind {
      case .plain:
        let decoder = BytesDecoder(state: state, value: place, node: UInt32(truncatingIfNeeded: elementNode))
        target.initializeMemory(as: Element.self, to: try state.noting(Element.self, decoder) { try Element(from: $0) })
        if scanner.node(elementNode).pointee.invalid != 0 { throw state.invalidNameError(elementNode) }
        scanner.finish(elementNode)
      case .collection:
        let collection = slot.collection.unsafelyUnwrapped
        target.initializeMemory(as: AnyObject.self, to: try collection.decodeDirectly(state, place, elementNode))
        core.pointee.frame = elementNode
      default:
        let element = try state.decodeKnown(Element.self, slot.kind, place, .node(elementNode))
        target.initializeMemory(as: Element.self, to: element)
      }
      elements.count &+= 1
      core.pointee.nodeCount = elementNode &+ 1
      scanner.cutArena(mark)
      let end = scanner.endOfValue(index, depth: depth)
      index = end < 0 ? -1 : scanner.nextElement(end, of: Int(value))
      if index < 0 { throw state.syntaxError() }
    }
    // The node that a cached container still refers to no longer exists.
    core.pointee.nodeCount = elementNode
    return object(of: elements.makeArray())
  }
}
