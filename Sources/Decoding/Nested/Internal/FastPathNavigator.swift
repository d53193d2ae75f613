/// Follows paths on a decoder of this module, from node to node of its scanner, without containers on the way.
///
/// It handles the simple cases: names and indices, one filter, values that exist or are absent. The generic
/// implementation handles everything else, above all errors: it starts over and reports the details.
struct FastPathNavigator {
  /// The member that a path leads to; absent if it, or something on the way to it, is missing or null.
  typealias Place = NestedRoot.Found<(node: Int, position: Int)>
  private typealias Reached = NestedRoot.Found<Int>

  private(set) var decoder: BytesDecoder
  private let scanner: JSONScanner
  /// The values that were reached. A few paths share a few prefixes, so linear search is faster than hashing.
  private var reached: [(prefix: PathPrefix?, node: Int, value: UInt32)] = []

  /// Nil for values that are not objects.
  init?(_ decoder: BytesDecoder) {
    self.decoder = decoder
    scanner = decoder.state.scanner
    if !restart(decoder) { return nil }
  }

  /// Begins again at another value of the same document; false if it is not an object.
  mutating func restart(_ decoder: BytesDecoder) -> Bool {
    guard decoder.value != absentValue, scanner.text[Int(decoder.value)] == 0x7B,
      let node = try? decoder.state.openObject(decoder.value, decoder.node)
    else { return false }
    self.decoder = BytesDecoder(state: decoder.state, value: decoder.value, node: UInt32(truncatingIfNeeded: node))
    if !reached.isEmpty { reached.removeAll(keepingCapacity: true) }
    return true
  }

  /// Returns the member that a path leads to.
  mutating func place(of path: CompiledPath) -> Place {
    guard let place = path.place, isLive(Int(decoder.node), decoder.value) else { return .needsSlowPath }
    if let (prefix, segments) = path.filtered {
      // The filter compares the names in the text, not those that a key strategy converts them to.
      if scanner.core.pointee.convertsKeys { return .needsSlowPath }
      return reach(prefix).flatMap { selectedMember(place.key, segments, of: $0) }
    }
    guard let prefix = place.prefix else { return .needsSlowPath }
    if prefix.steps.isEmpty { return member(place.key, of: Int(decoder.node)) }
    return reach(prefix).flatMap { member(place.key, of: $0) }
  }

  /// Returns the member of the first object that a filter, and steps after it, select from an array.
  private func selectedMember(_ key: AnyKey, _ segments: [Segment], of list: Int) -> Place {
    let array = scanner.node(list).pointee
    guard scanner.text[Int(array.value)] == 0x5B else { return .needsSlowPath }
    var evaluator = PathEvaluator(scanner, meter: JSONPathLimits().meter(bytes: scanner.text.count))
    var found = Place.absent
    do throws(EvaluationError) {
      try evaluator.select(segments, of: PathNode(offset: Int(array.value), depth: Int(array.depth))) { holder in
        found = member(key, ofValueAt: holder)
        if case .value = found { return false } else { return true }
      }
      if case .value = found { return found }
      return .absent
    } catch {
      return .needsSlowPath
    }
  }

  /// Returns the member of a value. If it has none, nothing remains recorded.
  private func member(_ key: AnyKey, ofValueAt holder: PathNode) -> Place {
    guard scanner.text[holder.offset] == 0x7B else { return .absent }
    let (nodeCount, mark) = (scanner.core.pointee.nodeCount, scanner.core.pointee.arenaCount)
    let node = scanner.pushNode(UInt32(truncatingIfNeeded: holder.offset), parent: -1, key: 0, .root)
    scanner.node(node).pointee.depth = UInt16(truncatingIfNeeded: holder.depth)
    scanner.openObject(node)
    let place = member(key, of: node)
    if case .value = place { return place }
    scanner.core.pointee.nodeCount = nodeCount
    scanner.cutArena(mark)
    return .absent
  }

  private func member(_ key: AnyKey, of node: Int) -> Place {
    guard scanner.node(node).pointee.phase != .closed else { return .needsSlowPath }
    let position = key.stringValue.withByteView { scanner.findKey(node, $0) }
    if position >= 0 { return .value((node, position)) }
    return position == KeyStep.end ? .absent : .needsSlowPath
  }

  private mutating func reach(_ prefix: PathPrefix) -> Reached {
    if let known = reached.first(where: { $0.prefix === prefix }), isLive(known.node, known.value) {
      return .value(known.node)
    }
    var node = Int(decoder.node)
    for step in prefix.steps {
      let next = enter(step, node)
      guard case .value(let child) = next else { return next }
      node = child
    }
    reached.append((prefix, node, scanner.node(node).pointee.value))
    return .value(node)
  }

  private mutating func enter(_ step: PathStep, _ node: Int) -> Reached {
    let value = Int(scanner.node(node).pointee.value)
    switch (step, scanner.text[value]) {
    case (.name(let name), 0x7B):
      let position = name.utf8.withUnsafeBytes { scanner.findKey(node, ByteView($0)) }
      if position < 0 { return position == KeyStep.end ? .absent : .needsSlowPath }
      let entry = scanner.entry(position)
      return child(entry.pointee.value, of: node, key: entry.pointee.key, .name)
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
    if let known = reached.first(where: { $0.value == value }), isLive(known.node, value) { return .value(known.node) }
    let node = scanner.pushNode(value, parent: parent, key: key, kind)
    if scanner.text[Int(value)] == 0x7B {
      guard (try? decoder.state.openObject(value, UInt32(truncatingIfNeeded: node))) == node else {
        return .needsSlowPath
      }
      if kind == .name { scanner.node(parent).pointee.child = Int32(truncatingIfNeeded: node) }
    }
    reached.append((nil, node, value))
    return .value(node)
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

    @inline(__always)
    func flatMap<Other>(_ transform: (Value) throws -> Found<Other>) rethrows -> Found<Other> {
      switch self {
      case .value(let value): try transform(value)
      case .absent: .absent
      case .needsSlowPath: .needsSlowPath
      }
    }
  }

  func scalar<Scalar: JSONScalar>(_ type: Scalar.Type, at path: JSONPath) -> Found<Scalar> {
    // The access to the nodes ends before anything is decoded, because a type's own code may access them again.
    guard object == nil, let scanner = nodes?.decoder.state.scanner, let place = nodes?.place(of: path.compiled) else {
      return .needsSlowPath
    }
    return place.flatMap { _, position in
      let value = scanner.entry(position).pointee.value
      if let scalar = Scalar.read(scanner, value) { return .value(scalar) }
      return scanner.isNull(value) ? .absent : .needsSlowPath
    }
  }

  func found<T: Decodable>(_ type: T.Type, at path: JSONPath) throws -> Found<T> {
    guard object == nil, let state = nodes?.decoder.state, let place = nodes?.place(of: path.compiled) else {
      return .needsSlowPath
    }
    if let value = try place.decode(type, state) { return .value(value) }
    return place.flatMap { _ in .absent }
  }
}

extension NestedRoot.Found where Value == (node: Int, position: Int) {
  /// Decodes the member; nil if it is null, absent or not known.
  func decode<T: Decodable>(_ type: T.Type, _ state: DecodingState) throws -> T? {
    guard case .value((let node, let position)) = self else { return nil }
    let entry = state.scanner.entry(position)
    if state.scanner.isNull(entry.pointee.value) { return nil }
    return try state.decode(
      type, entry.pointee.value, ValuePlace(parent: node, key: entry.pointee.key, kind: .name))
  }
}
