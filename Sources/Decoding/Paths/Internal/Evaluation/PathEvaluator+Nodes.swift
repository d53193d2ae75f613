/// Visiting the values of the document.
extension PathEvaluator {
  func kind(of node: PathNode) throws(EvaluationError) -> ValueKind {
    guard let kind = scanner.kind(at: node.offset) else { throw .malformed }
    return kind
  }

  /// Returns a cursor over the children of an object or array; nil for other values.
  func children(of node: PathNode) throws(EvaluationError) -> ChildCursor? {
    switch try kind(of: node) {
    case .object, .array: ChildCursor(scanner: scanner, container: node.offset, depth: node.depth + 1)
    case .string, .number, .boolean, .null: nil
    }
  }

  /// Moves a cursor to the next child; the previous one is skipped in one step if its end is known.
  mutating func advance(_ cursor: inout ChildCursor) throws(EvaluationError) -> Bool {
    let value = cursor.value
    var passed = value < 0 ? cursor.container : value
    if value >= 0 {
      if index != nil { skipIndexed(value) }
      if scanner.core.pointee.lastStart == value { passed = scanner.core.pointee.lastEnd }
    }
    let isThere = cursor.next()
    if !isThere, cursor.isFaulty { throw .malformed }
    try meter.spend((isThere ? cursor.value : scanner.core.pointee.lastEnd) &- passed &+ WorkMeter.value)
    return isThere
  }

  private mutating func skipIndexed(_ value: Int) {
    guard scanner.text[value] | 0x20 == 0x7B, let span = index?.index(of: value), let end = index?.spans[span].end
    else { return }
    scanner.took(value, Int(end))
  }

  /// Skips the rest of an object in which members were looked up, for the benefit of the cursor around it.
  mutating func leave(_ node: PathNode) throws(EvaluationError) {
    guard index == nil, resume.object == node.offset, scanner.core.pointee.lastStart != node.offset else { return }
    var end = scanner.endOfValue(resume.member, depth: node.depth + 1)
    if end >= 0 { end = scanner.skipRest(from: end, isFresh: false, depth: node.depth) }
    guard end >= 0 else { throw .malformed }
    scanner.took(node.offset, end)
    try meter.spend(end &- resume.member)
  }

  /// Returns the child that a name or index selects; if several have the same name, the first one.
  mutating func child(_ selector: Selector, of node: PathNode) throws(EvaluationError) -> PathNode? {
    switch (selector, try kind(of: node)) {
    case (.name(let name), .object): try member(name, of: node)
    case (.index(let index), .array): try element(index, of: node)
    default: nil
    }
  }

  private mutating func member(_ name: ByteString, of node: PathNode) throws(EvaluationError) -> PathNode? {
    var members = ChildCursor(scanner: scanner, container: node.offset, depth: node.depth + 1)
    while try advance(&members) {
      guard name.utf8.withUnsafeBytes({ members.nameMatches(ByteView($0)) }) else { continue }
      resume = (node.offset, members.value)
      return PathNode(members)
    }
    return nil
  }

  private mutating func element(_ index: Int, of node: PathNode) throws(EvaluationError) -> PathNode? {
    let position = index < 0 ? try count(of: node) + index : index
    guard position >= 0 else { return nil }
    var elements = ChildCursor(scanner: scanner, container: node.offset, depth: node.depth + 1)
    while try advance(&elements) {
      if elements.index == position { return PathNode(elements) }
    }
    return nil
  }

  /// Returns the number of members of an object or elements of an array.
  mutating func count(of node: PathNode) throws(EvaluationError) -> Int {
    guard var children = try children(of: node) else { return 0 }
    var count = 0
    while try advance(&children) { count += 1 }
    return count
  }

  /// Returns the containers of the document from a node on, and the node's index among them.
  mutating func containers(
    from node: PathNode
  ) throws(EvaluationError) -> (first: Int, spans: [ContainerIndex.Span])? {
    if index?.covers(node.offset) != true {
      guard let made = ContainerIndex(scanner, at: node.offset, depth: node.depth) else { throw .malformed }
      try meter.spend(made.spans.count &* WorkMeter.entry)
      try meter.spend((made.spans.first.map { Int($0.end) } ?? node.offset) &- node.offset)
      index = made
    }
    guard let spans = index?.spans, let first = index?.index(of: node.offset) else { return nil }
    return (first, spans)
  }
}
