/// One pass over a document that decodes the values of several paths as it reaches them.
struct ExtractionPass {
  private let fields: [ExtractedField]
  private let state: DecodingState
  private var tree = PathTree()
  private var isResolved: [Bool]
  private var pending: Int
  private var part: TextPart

  init(_ fields: [ExtractedField], state: DecodingState, part: TextPart) {
    self.fields = fields
    self.state = state
    self.part = part
    isResolved = Array(repeating: false, count: fields.count)
    pending = fields.count
    for (index, field) in fields.enumerated() { tree.insert(field.steps, field: index) }
  }

  private var scanner: JSONScanner { state.scanner }

  /// Runs the pass; `current` is set to the part that an error refers to.
  mutating func run(_ current: inout TextPart) throws {
    defer { current = part }
    part.origin = .steps([])
    let start = part.text.skipSpace(0)
    guard scanner.kind(at: start) != nil else { throw state.syntaxError() }
    try visit(0, start, depth: 0)
  }

  /// Decodes the requested values at and below a value. Recursion is limited by the steps of a path, at most 512.
  private mutating func visit(_ node: Int, _ value: Int, depth: Int) throws {
    for field in tree.nodes[node].fields where !isResolved[field] {
      part.origin = .steps(fields[field].steps)
      part.start = value
      try fields[field].decode(state, part)
      resolve(field)
    }
    let names = tree.nodes[node].names
    let indices = tree.nodes[node].indices
    guard pending > 0, !(names.isEmpty && indices.isEmpty) else { return }
    guard let kind = scanner.kind(at: value) else { throw state.syntaxError() }
    switch kind {
    case .object where !names.isEmpty: try visitMembers(of: value, names, depth: depth)
    case .array where !indices.isEmpty: try visitElements(of: value, indices, depth: depth)
    default: break
    }
    // The remaining paths lead to nothing: to a missing member or element, or into the wrong kind of value.
    guard pending > 0 else { return }
    for field in tree.nodes[node].fieldsBelow where !isResolved[field] {
      let outcome: StepOutcome
      switch (fields[field].steps[depth], kind) {
      case (.name, .object), (.index, .array): outcome = .missing(step: depth, container: value)
      default: outcome = .mismatch(step: depth, value: value, kind: kind)
      }
      fields[field].miss(outcome, in: state.document(part))
      resolve(field)
    }
  }

  private mutating func visitMembers(of value: Int, _ names: [(name: [UInt8], node: Int)], depth: Int) throws {
    var wanted = names
    var cursor = MemberCursor(scanner: scanner, object: value, depth: depth + 1)
    while cursor.next() {
      let found = wanted.firstIndex { candidate in candidate.name.withUnsafeBytes { cursor.nameMatches(ByteView($0)) } }
      guard let found else { continue }
      try visit(wanted.remove(at: found).node, cursor.value, depth: depth + 1)
      if pending == 0 { return }
      if wanted.isEmpty { return try passRest(of: value, behind: cursor.value, isObject: true, depth: depth) }
    }
    if cursor.isFaulty { throw state.syntaxError() }
  }

  private mutating func visitElements(of value: Int, _ indices: [(index: Int, node: Int)], depth: Int) throws {
    var wanted = indices
    if wanted.contains(where: { $0.index < 0 }) {
      // Negative indices require the number of elements.
      guard let count = scanner.count(ofElementsIn: value, depth: depth + 1) else { throw state.syntaxError() }
      wanted = wanted.map { ($0.index < 0 ? $0.index + count : $0.index, $0.node) }
    }
    var cursor = ElementCursor(scanner: scanner, array: value, depth: depth + 1)
    while cursor.next() {
      for candidate in wanted where candidate.index == cursor.index {
        try visit(candidate.node, cursor.value, depth: depth + 1)
        if pending == 0 { return }
      }
      wanted.removeAll { $0.index <= cursor.index }
      if wanted.isEmpty { return try passRest(of: value, behind: cursor.value, isObject: false, depth: depth) }
    }
    if cursor.isFaulty { throw state.syntaxError() }
  }

  /// Skips the rest of a container that has no more requested values, so that its parent need not start over.
  private func passRest(of container: Int, behind child: Int, isObject: Bool, depth: Int) throws {
    let start = scanner.endOfValue(child, depth: depth + 1)
    let end = start < 0 ? -1 : scanner.skipRest(from: start, isObject: isObject, isFresh: false, depth: depth)
    if end < 0 { throw state.syntaxError() }
    scanner.took(container, end)
  }

  private mutating func resolve(_ field: Int) {
    isResolved[field] = true
    pending -= 1
  }
}
