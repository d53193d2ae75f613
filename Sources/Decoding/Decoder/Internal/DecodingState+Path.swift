extension DecodingState {
  /// Returns the coding path of a value, built on request from the nodes' parents and the keys in the text.
  @inline(never)
  func path(_ node: Int, _ value: UInt32) -> [any CodingKey] {
    if options.convertsKeys, !errors.isAmbiguous { errors.isAmbiguous = isInDictionary(node, value) }
    guard scanner.isLive(node, value) else { return steps(to: value) }
    errors.cut(makePath(node))
    return errors.path
  }

  /// Makes the cached path begin with the path of a node, and returns the number of keys in the node's path.
  private func makePath(_ node: Int) -> Int {
    let (value, parent) = (scanner.node(node).pointee.value, Int(scanner.node(node).pointee.parent))
    guard parent >= 0 else {
      // Any node but the first belongs to a container or decoder that outlived its `init(from:)`.
      return node == 0 ? 0 : errors.begin(steps(to: value))
    }
    let depth = Int(scanner.node(node).pointee.depth) - Int(scanner.node(0).pointee.depth)
    if errors.holds(value, at: depth - 1) { return depth }
    let level = makePath(parent)
    errors.put(value, key(of: node, level), at: level)
    return level + 1
  }

  /// Returns the steps from where the decode began to a value, with the names in the document.
  func steps(to node: Int, _ value: UInt32) -> [PathStep] {
    var steps: [PathStep] = []
    var next = scanner.isLive(node, value) ? node : -1
    while next >= 0 {
      let node = scanner.node(next).pointee
      switch node.keyKind {
      case .root:
        // The root, or a node of a container or decoder that outlived its `init(from:)`.
        return next == 0 ? steps.reversed() : scanner.steps(to: Int(value)).map(PathStep.init)
      case .index: steps.append(.index(Int(node.key)))
      case .absentName: steps.append(.name(ByteString(absentNames[Int(node.key)])))
      case .dictionaryName, .name: steps.append(.name(ByteString(scanner.name(ofKeyAt: Int(node.key)))))
      }
      next = Int(node.parent)
    }
    return value == absentValue ? [] : scanner.steps(to: Int(value)).map(PathStep.init)
  }

  /// Whether a dictionary is on the way to a value; its names are not converted.
  private func isInDictionary(_ node: Int, _ value: UInt32) -> Bool {
    var next = scanner.isLive(node, value) ? node : -1
    while next >= 0 {
      if scanner.node(next).pointee.keyKind == .dictionaryName { return true }
      next = Int(scanner.node(next).pointee.parent)
    }
    return false
  }

  /// Returns the path of a value without a node, found in the text.
  private func steps(to value: UInt32) -> [any CodingKey] {
    guard value != absentValue else { return [] }
    let steps = scanner.steps(to: Int(value))
    guard options.convertsKeys else { return steps }
    return steps.reduce(into: []) { path, step in
      path.append(step.intValue == nil ? PathKey(converted(step.stringValue, path) ?? step.stringValue) : step)
    }
  }

  /// Returns the key of a node whose parent's path is the first part of the cached path.
  private func key(of index: Int, _ level: Int) -> PathKey {
    let node = scanner.node(index).pointee
    switch node.keyKind {
    case .root: return PathKey("")  // has no parent, and no key
    case .index: return PathKey(index: Int(node.key))
    case .absentName: return PathKey(absentNames[Int(node.key)])
    case .dictionaryName: return PathKey(scanner.name(ofKeyAt: Int(node.key)))
    case .name:
      let name = scanner.name(ofKeyAt: Int(node.key))
      return PathKey(options.convertsKeys ? converted(name, Array(errors.path.prefix(level))) ?? name : name)
    }
  }
}
