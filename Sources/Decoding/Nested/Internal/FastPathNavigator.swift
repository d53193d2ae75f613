/// Follows paths on a decoder of this module, from node to node of its scanner, without containers on the way.
///
/// It handles the simple cases: names and indices, one filter, values that exist or are absent. The generic
/// implementation handles everything else, above all errors: it starts over and reports the details.
struct FastPathNavigator {
  /// The location that a path leads to.
  enum Place {
    case member(node: Int, position: Int)
    /// The value, or something on the way to it, is missing or null.
    case absent
    case needsSlowPath
  }

  private enum Reached {
    case node(Int)
    case absent
    case needsSlowPath
  }

  let decoder: BytesDecoder
  /// The values that were reached. A few paths share a few prefixes, so linear search is faster than hashing.
  private var reached: [(prefix: PathPrefix?, node: Int, value: UInt32)] = []

  /// Nil for other decoders, and for values that are not objects.
  init?(_ decoder: some Decoder) {
    guard Swift.type(of: decoder) == BytesDecoder.self else { return nil }
    let decoder = reinterpret(decoder, as: BytesDecoder.self)
    guard let node = try? decoder.state.openObject(decoder.value, decoder.node) else { return nil }
    self.decoder = BytesDecoder(state: decoder.state, value: decoder.value, node: UInt32(truncatingIfNeeded: node))
  }

  private var scanner: JSONScanner { decoder.state.scanner }

  /// Returns the member that a path leads to.
  mutating func place(of path: CompiledPath) -> Place {
    guard let place = path.place, isLive(Int(decoder.node), decoder.value) else { return .needsSlowPath }
    if let filtered = path.filtered { return self.place(of: place.key, behind: filtered) }
    guard let prefix = place.prefix else { return .needsSlowPath }
    switch reach(prefix) {
    case .node(let node): return member(place.key, of: node)
    case .absent: return .absent
    case .needsSlowPath: return .needsSlowPath
    }
  }

  /// Returns the member of the first element that passes a filter and has the member.
  private mutating func place(of key: AnyKey, behind filtered: FilteredPlace) -> Place {
    // The filter compares the names in the text, not those that a key strategy converts them to.
    if scanner.core.pointee.convertsKeys { return .needsSlowPath }
    let list: Int
    switch reach(filtered.list) {
    case .node(let node): list = node
    case .absent: return .absent
    case .needsSlowPath: return .needsSlowPath
    }
    let array = Int(scanner.node(list).pointee.value)
    guard scanner.text[array] == 0x5B else { return .needsSlowPath }
    let depth = Int(scanner.node(list).pointee.depth) + 1
    var elements = ChildCursor(scanner: scanner, container: array, depth: depth)
    do throws(EvaluationError) {
      var evaluator = PathEvaluator(scanner, meter: JSONPathLimits().meter(bytes: scanner.text.count))
      while try evaluator.advance(&elements) {
        let element = PathNode(offset: elements.value, depth: depth)
        if try evaluator.holds(filtered.filter, for: element) {
          let place = member(
            key, behind: filtered.rest, of: elements.value, at: elements.elements.index, in: list)
          if case .member = place { return place }
        } else {
          try evaluator.leave(element)
        }
      }
      return .absent
    } catch {
      return .needsSlowPath
    }
  }

  /// Returns the member at the end of some steps from an element. A value that does not fit is not selected, and leaves
  /// nothing recorded.
  private mutating func member(
    _ key: AnyKey, behind steps: [PathStep], of element: Int, at index: Int, in list: Int
  ) -> Place {
    let core = scanner.core
    let (reachedCount, nodeCount, mark) = (reached.count, core.pointee.nodeCount, core.pointee.arenaCount)
    // An object that was reached before may be on the way: the keys that it records must remain.
    let frame = core.pointee.frame
    core.pointee.frame = nodeCount
    defer { core.pointee.frame = frame }
    var found = child(
      UInt32(truncatingIfNeeded: element), of: list, key: UInt32(truncatingIfNeeded: index), .index)
    for step in steps {
      guard case .node(let node) = found else { break }
      found = enter(step, node)
    }
    if case .node(let node) = found {
      let place = member(key, of: node)
      if case .member = place { return place }
    }
    reached.removeSubrange(reachedCount...)
    core.pointee.nodeCount = nodeCount
    scanner.cutArena(mark)
    return .absent
  }

  private func member(_ key: AnyKey, of node: Int) -> Place {
    guard scanner.node(node).pointee.phase != .closed else { return .needsSlowPath }
    var name = key.stringValue
    let position = name.withUTF8 { scanner.findKey(node, ByteView(UnsafeRawBufferPointer($0))) }
    if position >= 0 { return .member(node: node, position: position) }
    return position == KeyStep.end ? .absent : .needsSlowPath
  }

  private mutating func reach(_ prefix: PathPrefix) -> Reached {
    if let known = reached.first(where: { $0.prefix === prefix }), isLive(known.node, known.value) {
      return .node(known.node)
    }
    var node = Int(decoder.node)
    for step in prefix.steps {
      let next = enter(step, node)
      guard case .node(let child) = next else { return next }
      node = child
    }
    reached.append((prefix, node, scanner.node(node).pointee.value))
    return .node(node)
  }

  private mutating func enter(_ step: PathStep, _ node: Int) -> Reached {
    let value = Int(scanner.node(node).pointee.value)
    switch (step, scanner.text[value]) {
    case (.name(let name), 0x7B):
      let position = name.utf8.withUnsafeBytes { scanner.findKey(node, ByteView($0)) }
      if position < 0 { return position == KeyStep.end ? .absent : .needsSlowPath }
      let entry = scanner.entry(position)
      return child(entry.value, of: node, key: entry.key, .name)
    case (.index(let index), 0x5B) where index >= 0:
      let element = scanner.element(index, of: value, depth: Int(scanner.node(node).pointee.depth) + 1)
      if element < 0 { return element == KeyStep.end ? .absent : .needsSlowPath }
      return child(UInt32(truncatingIfNeeded: element), of: node, key: UInt32(truncatingIfNeeded: index), .index)
    default: return .needsSlowPath
    }
  }

  /// Returns the node of a value in a container; the value is opened if it is an object.
  private mutating func child(
    _ value: UInt32, of parent: Int, key: UInt32, _ kind: ValueNode.KeyKind
  ) -> Reached {
    if scanner.isNull(value) { return .absent }
    if let known = reached.first(where: { $0.value == value }), isLive(known.node, value) { return .node(known.node) }
    let node = scanner.pushNode(value, parent: parent, key: key, kind)
    if scanner.text[Int(value)] == 0x7B {
      guard (try? decoder.state.openObject(value, UInt32(truncatingIfNeeded: node))) == node else {
        return .needsSlowPath
      }
      if kind == .name { scanner.node(parent).pointee.child = Int32(truncatingIfNeeded: node) }
    }
    reached.append((nil, node, value))
    return .node(node)
  }

  /// Whether a node still belongs to the value; nodes created inside an `init(from:)` are removed when it returns.
  private func isLive(_ node: Int, _ value: UInt32) -> Bool {
    guard scanner.isLive(node, value) else { return false }
    return scanner.node(node).pointee.phase != .closed || scanner.text[Int(value)] != 0x7B
  }
}

extension NestedRoot {
  /// The result of a lookup that the decoder's own nodes can answer.
  enum Found<Value> {
    case value(Value)
    case absent
    case needsSlowPath
  }

  func scalar<Scalar: JSONScalar>(_ type: Scalar.Type, at path: JSONPath) -> Found<Scalar> {
    // The access to the nodes ends before anything is decoded, because a type's own code may access them again.
    guard object == nil, let scanner = nodes?.decoder.state.scanner, let place = nodes?.place(of: path.compiled) else {
      return .needsSlowPath
    }
    switch place {
    case .member(_, let position):
      let value = scanner.entry(position).value
      if let scalar = Scalar.read(scanner, value) { return .value(scalar) }
      return scanner.isNull(value) ? .absent : .needsSlowPath
    case .absent: return .absent
    case .needsSlowPath: return .needsSlowPath
    }
  }

  func found<T: Decodable>(_ type: T.Type, at path: JSONPath) throws -> Found<T> {
    guard object == nil, let state = nodes?.decoder.state, let place = nodes?.place(of: path.compiled) else {
      return .needsSlowPath
    }
    switch place {
    case .member(let node, let position):
      let entry = state.scanner.entry(position)
      if state.scanner.isNull(entry.value) { return .absent }
      return .value(try state.decode(type, entry.value, ValuePlace(parent: node, key: entry.key, kind: .name)))
    case .absent: return .absent
    case .needsSlowPath: return .needsSlowPath
    }
  }
}
