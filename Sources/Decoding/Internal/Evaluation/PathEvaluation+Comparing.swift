/// A value as comparisons see it.
enum Comparand {
  case nothing
  case null
  case bool(Bool)
  case number(ExactNumber)
  /// UTF-8 without escapes; its order is the order of code points.
  case string([UInt8])
  case container(PathNode, ValueKind)
}

extension PathEvaluation {
  func compare(_ left: Comparand, _ comparison: Comparison, _ right: Comparand) throws(EvaluationError) -> Bool {
    switch comparison {
    case .equal: try isEqual(left, right)
    case .notEqual: try !isEqual(left, right)
    case .less: isLess(left, right)
    case .greater: isLess(right, left)
    case .lessOrEqual: isLess(left, right) ? true : try isEqual(left, right)
    case .greaterOrEqual: isLess(right, left) ? true : try isEqual(left, right)
    }
  }

  private func isLess(_ left: Comparand, _ right: Comparand) -> Bool {
    switch (left, right) {
    case (.number(let left), .number(let right)): left < right
    case (.string(let left), .string(let right)): left.lexicographicallyPrecedes(right)
    default: false
    }
  }

  private func isEqual(_ left: Comparand, _ right: Comparand, depth: Int = 0) throws(EvaluationError) -> Bool {
    switch (left, right) {
    case (.nothing, .nothing), (.null, .null): return true
    case (.bool(let left), .bool(let right)): return left == right
    case (.number(let left), .number(let right)): return left == right
    case (.string(let left), .string(let right)): return left == right
    case (.container(let left, let leftKind), .container(let right, let rightKind)):
      guard leftKind == rightKind else { return false }
      guard depth < ByteReader.maximumDepth else { throw .tooMuch("the values to compare are nested too deeply") }
      return leftKind == .array
        ? try areArraysEqual(left, right, depth: depth + 1) : try areObjectsEqual(left, right, depth: depth + 1)
    default: return false
    }
  }

  private func areArraysEqual(_ left: PathNode, _ right: PathNode, depth: Int) throws(EvaluationError) -> Bool {
    let leftElements = try children(of: left)
    let rightElements = try children(of: right)
    guard leftElements.count == rightElements.count else { return false }
    for (left, right) in zip(leftElements, rightElements) {
      guard try isEqual(comparand(of: left), comparand(of: right), depth: depth) else { return false }
    }
    return true
  }

  private func areObjectsEqual(_ left: PathNode, _ right: PathNode, depth: Int) throws(EvaluationError) -> Bool {
    let leftMembers = try members(of: left)
    let rightMembers = try members(of: right)
    guard leftMembers.count == rightMembers.count else { return false }
    for (name, left) in leftMembers {
      guard let right = rightMembers[name] else { return false }
      guard try isEqual(comparand(of: left), comparand(of: right), depth: depth) else { return false }
    }
    return true
  }

  private func children(of node: PathNode) throws(EvaluationError) -> [PathNode] {
    var children: [PathNode] = []
    _ = try forEachChild(of: node) { child throws(EvaluationError) in
      children.append(child)
      return true
    }
    return children
  }

  /// The members by name; of those with the same name the first.
  private func members(of node: PathNode) throws(EvaluationError) -> [[UInt8]: PathNode] {
    var members: [[UInt8]: PathNode] = [:]
    try forEachMember(of: node) { name, offset throws(EvaluationError) in
      let utf8 = name.isEscaped ? self.reader.unescaped(name.range) : Array(self.reader.bytes[name.range])
      if members[utf8] == nil { members[utf8] = node.child(.member(name), at: offset) }
      return true
    }
    return members
  }
}
