/// A collection that is decoded without the containers of `Codable`.
protocol DirectlyDecodable {
  /// Decodes the value at `value`, whose node is `node`, and returns the collection as its single reference.
  static func decodeDirectly(_ state: DecodingState, _ value: UInt32, _ node: Int) throws -> AnyObject
}

typealias DecodingTypes = TypeCache<any DirectlyDecodable.Type>

extension Array: DirectlyDecodable where Element: Decodable {
  static func decodeDirectly(_ state: DecodingState, _ value: UInt32, _ node: Int) throws -> AnyObject {
    if Element.self == Double.self { return object(of: try state.doubles(value, node)) }
    if Element.self == Int.self { return object(of: try state.integers(value, node)) }
    if Element.self == String.self { return object(of: try state.strings(value, node)) }
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
      let offset = UInt32(truncatingIfNeeded: index)
      let current = scanner.node(elementNode)
      current.pointee.value = offset
      current.pointee.key = UInt32(truncatingIfNeeded: elements.count)
      current.pointee.phase = .closed
      current.pointee.invalid = 0
      let target = elements.next()
      switch slot.kind {
      case .plain:
        let decoder = BytesDecoder(state: state, value: offset, node: UInt32(truncatingIfNeeded: elementNode))
        target.initializeMemory(as: Element.self, to: try state.noting(Element.self, decoder) { try Element(from: $0) })
        if scanner.node(elementNode).pointee.invalid != 0 { throw state.invalidNameError(elementNode) }
        scanner.finish(elementNode)
      case .collection:
        let collection = slot.collection.unsafelyUnwrapped
        target.initializeMemory(as: AnyObject.self, to: try collection.decodeDirectly(state, offset, elementNode))
        core.pointee.frame = elementNode
      default:
        let element = try state.decodeKnown(Element.self, slot.kind, offset, .node(elementNode))
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

/// Dictionaries preserve the names in the text: no key decoding strategy applies, as in Foundation.
///
/// They iterate over the object from its beginning without recording keys. Its node may already be open at any member,
/// and must be unchanged afterward.
extension Dictionary: DirectlyDecodable where Key == String, Value: Decodable {
  static func decodeDirectly(_ state: DecodingState, _ value: UInt32, _ node: Int) throws -> AnyObject {
    var members = try state.members(value, node)
    var names = MemberNames()
    var values = RawElements<Value>()
    defer { values.destroy() }
    while members.next() {
      guard let name = members.name else { throw state.syntaxError() }
      let target = values.next()
      do {
        let member = try state.decode(Value.self, members.offset, members.valuePlace(in: node))
        target.initializeMemory(as: Value.self, to: member)
      } catch  where names.contains(name) && state.scanner.core.pointee.fault < 0 {
        continue
      }
      values.count &+= 1
      names.append(name)
    }
    if members.isFaulty { throw state.syntaxError() }
    return object(of: values.take { values, _ in makeDictionary(names.all, values) })
  }

  /// Collects names and values first, so that the table is created once, with its final size.
  private static func makeDictionary(_ names: [String], _ values: UnsafeMutablePointer<Value>) -> [String: Value] {
    var result = [String: Value](minimumCapacity: names.count)
    for (index, name) in names.enumerated() {
      guard let first = result.updateValue((values + index).move(), forKey: name) else { continue }
      result[name] = first  // the first one counts, as everywhere
    }
    return result
  }
}

extension DecodingState {
  /// Returns a cursor over the members of the object at `value`, from the first one on.
  @inline(__always)
  fileprivate func members(_ value: UInt32, _ node: Int) throws -> ChildCursor {
    try requireObject(value, node)
    return ChildCursor(scanner: scanner, container: Int(value), depth: Int(scanner.node(node).pointee.depth) &+ 1)
  }
}

extension ChildCursor {
  /// The offset of the member's value.
  @inline(__always) fileprivate var offset: UInt32 { UInt32(truncatingIfNeeded: value) }

  @inline(__always)
  fileprivate func valuePlace(in node: Int) -> ValuePlace {
    ValuePlace(parent: node, key: UInt32(truncatingIfNeeded: nameSpan.start), kind: .dictionaryName)
  }
}

/// The names of the members that a dictionary is made of, in the order of the text.
struct MemberNames {
  private(set) var all: [String] = []
  /// The same names as a set, made by the first lookup: names are looked up only after a value could not be decoded.
  private var lookup: Set<String>?

  mutating func append(_ name: String) {
    all.append(name)
    if lookup != nil { lookup?.insert(name) }
  }

  mutating func contains(_ name: String) -> Bool {
    let names = lookup ?? Set(all)
    lookup = names
    return names.contains(name)
  }
}
