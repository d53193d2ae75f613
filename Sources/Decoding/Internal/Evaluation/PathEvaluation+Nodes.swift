/// Walking over the values of the document.
extension PathEvaluation {
  func kind(of node: PathNode) throws(EvaluationError) -> ValueKind {
    try reading(at: node.offset) { reader throws(JSONSyntaxError) in try reader.kindOfValue() }
  }

  /// The bytes of the value, without blanks around it.
  func range(of node: PathNode) throws(EvaluationError) -> Range<Int> {
    var reader = try start(of: node)
    let start = reader.offset
    try skipValue(with: &reader)
    return start..<reader.offset
  }

  /// Follows steps from the root as strictly as a singular path is.
  func follow(_ steps: [PathStep]) throws(EvaluationError) -> StepOutcome {
    try reading(at: root.offset) { reader throws(JSONSyntaxError) in try reader.follow(steps) }
  }

  func child(_ step: PathStep, of node: PathNode) throws(EvaluationError) -> PathNode? {
    var found: PathNode?
    switch (step, try kind(of: node)) {
    case (.name(let name), .object):
      try forEachMember(of: node) { member, offset throws(EvaluationError) in
        guard self.reader.matches(member, name.utf8) else { return true }
        found = node.child(.member(member), at: offset)
        return false
      }
    case (.index(let index), .array):
      let position = index < 0 ? try count(of: node) + index : index
      guard position >= 0 else { return nil }
      try forEachElement(of: node) { element, offset throws(EvaluationError) in
        guard element == position else { return true }
        found = node.child(.element(element), at: offset)
        return false
      }
    default: break
    }
    return found
  }

  func forEachChild(of node: PathNode, _ visit: Visit) throws(EvaluationError) -> Bool {
    switch try kind(of: node) {
    case .object:
      try forEachMember(of: node) { name, offset throws(EvaluationError) in
        try visit(node.child(.member(name), at: offset))
      }
    case .array:
      try forEachElement(of: node) { position, offset throws(EvaluationError) in
        try visit(node.child(.element(position), at: offset))
      }
    case .string, .number, .boolean, .null: true
    }
  }

  /// The number of members of an object or elements of an array.
  func count(of node: PathNode) throws(EvaluationError) -> Int {
    var count = 0
    switch try kind(of: node) {
    case .object:
      try forEachMember(of: node) { _, _ throws(EvaluationError) in
        count += 1
        return true
      }
    case .array:
      try forEachElement(of: node) { _, _ throws(EvaluationError) in
        count += 1
        return true
      }
    case .string, .number, .boolean, .null: break
    }
    return count
  }

  /// Visits the names and the places of the values of an object; false when the visitor has stopped.
  @discardableResult
  func forEachMember(
    of node: PathNode, _ visit: (JSONName, Int) throws(EvaluationError) -> Bool
  ) throws(EvaluationError) -> Bool {
    var reader = try start(of: node)
    var name = try reading(&reader) { reader throws(JSONSyntaxError) in try reader.enterObject() }
    while let current = name {
      guard try visit(current, reader.offset) else { return false }
      try skipValue(with: &reader)
      name = try reading(&reader) { reader throws(JSONSyntaxError) in try reader.nextMember() }
    }
    return true
  }

  /// Visits the indices and the places of the elements of an array; false when the visitor has stopped.
  @discardableResult
  func forEachElement(
    of node: PathNode, _ visit: (Int, Int) throws(EvaluationError) -> Bool
  ) throws(EvaluationError) -> Bool {
    var reader = try start(of: node)
    var position = 0
    var isInside = try reading(&reader) { reader throws(JSONSyntaxError) in try reader.enterArray() }
    while isInside {
      guard try visit(position, reader.offset) else { return false }
      try skipValue(with: &reader)
      position += 1
      isInside = try reading(&reader) { reader throws(JSONSyntaxError) in try reader.nextElement() }
    }
    return true
  }

  /// Visits the node itself and every object and array below it, each before what it holds.
  func forEachContainer(in node: PathNode, _ visit: Visit) throws(EvaluationError) -> Bool {
    let start = try start(of: node).offset
    let index = try containers(in: start)
    guard let first = index.place(of: start) else { return true }
    // What encloses the current container, outermost first: the trails to it are shared.
    var open = [(place: first, trail: node.trail)]
    guard try visit(PathNode(offset: start, trail: node.trail)) else { return false }
    var place = first + 1
    while place < index.starts.count, index.starts[place] < index.ends[first] {
      while let last = open.last, last.place != index.parents[place] { open.removeLast() }
      let trail = PathTrail(parent: open.last?.trail, step: index.steps[place])
      open.append((place, trail))
      guard try visit(PathNode(offset: index.starts[place], trail: trail)) else { return false }
      place += 1
    }
    return true
  }

  /// The index of a part of the document that the offset lies in.
  private func containers(in offset: Int) throws(EvaluationError) -> ContainerIndex {
    if let index, let first = index.starts.first, let end = index.ends.first, first <= offset, offset < end {
      return index
    }
    let made = try reading(at: offset) { reader throws(JSONSyntaxError) in try ContainerIndex(reader) }
    try spend((made.ends.first ?? offset) - offset)
    index = made
    return made
  }

  private func start(of node: PathNode) throws(EvaluationError) -> ByteReader {
    var reader = reader
    reader.offset = node.offset
    _ = try reading(&reader) { reader throws(JSONSyntaxError) in try reader.kindOfValue() }
    return reader
  }

  /// Passes a value, in one step where its end is known.
  private func skipValue(with reader: inout ByteReader) throws(EvaluationError) {
    let start = reader.offset
    if let index {
      _ = try reading(&reader) { reader throws(JSONSyntaxError) in try reader.kindOfValue() }
      if let place = index.place(of: reader.offset) {
        reader.offset = index.ends[place]
        return try spend(Self.workPerValue)
      }
    }
    try reading(&reader) { reader throws(JSONSyntaxError) in try reader.skipValue() }
    try spend(max(reader.offset - start, Self.workPerValue))
  }

  private func reading<Result>(
    _ reader: inout ByteReader, _ body: (inout ByteReader) throws(JSONSyntaxError) -> Result
  ) throws(EvaluationError) -> Result {
    do throws(JSONSyntaxError) {
      return try body(&reader)
    } catch {
      throw .syntax(error)
    }
  }

  private func reading<Result>(
    at offset: Int, _ body: (inout ByteReader) throws(JSONSyntaxError) -> Result
  ) throws(EvaluationError) -> Result {
    var reader = reader
    reader.offset = offset
    return try reading(&reader, body)
  }
}
