extension DecodingState {
  /// The coding path of a value: made only when asked for, from the nodes' parents and the keys in the text.
  @inline(never)
  func path(_ node: Int, _ value: UInt32) -> [any CodingKey] {
    if options.convertsKeys, !errors.isAmbiguous { errors.isAmbiguous = isInDictionary(node, value) }
    if let known = errors.path(of: value) { return known }
    guard scanner.isLive(node, value) else {
      return steps(to: value)
    }
    // Collected upwards to the nearest value whose path is known, then written downwards.
    var pending: [Int] = []
    var path: [any CodingKey] = []
    var next = node
    while next >= 0 {
      let value = scanner.node(next).pointee.value
      if let known = errors.path(of: value) {
        path = known
        break
      }
      let parent = Int(scanner.node(next).pointee.parent)
      if parent < 0, next > 0 {
        // Made for a container or decoder that has outlived its `init(from:)`.
        path = steps(to: value)
        break
      }
      pending.append(next)
      next = parent
    }
    for index in pending.reversed() {
      if index == node, let container = pending.dropFirst().first {
        errors.container = (scanner.node(container).pointee.value, path)
      }
      if let key = key(of: index, path) { path.append(key) }
    }
    errors.last = (value, path)
    return path
  }

  /// The steps to a value in the names of the document, from where the decode began.
  func steps(to node: Int, _ value: UInt32) -> [PathStep] {
    var steps: [PathStep] = []
    var next = scanner.isLive(node, value) ? node : -1
    while next >= 0 {
      let node = scanner.node(next).pointee
      switch node.keyKind {
      case .root:
        // The root, or made for a container or decoder that has outlived its `init(from:)`.
        return next == 0 ? steps.reversed() : scanner.steps(to: Int(value)).map(PathStep.init)
      case .index: steps.append(.index(Int(node.key)))
      case .absentName: steps.append(.name(ByteString(absentNames[Int(node.key)])))
      case .dictionaryName, .name: steps.append(.name(ByteString(scanner.name(ofKeyAt: Int(node.key)))))
      }
      next = Int(node.parent)
    }
    return value == absentValue ? [] : scanner.steps(to: Int(value)).map(PathStep.init)
  }

  /// Whether a dictionary is on the way to a value: its name is not converted there.
  private func isInDictionary(_ node: Int, _ value: UInt32) -> Bool {
    var next = scanner.isLive(node, value) ? node : -1
    while next >= 0 {
      if scanner.node(next).pointee.keyKind == .dictionaryName { return true }
      next = Int(scanner.node(next).pointee.parent)
    }
    return false
  }

  /// The path of a value that no node is known for, found in the text.
  private func steps(to value: UInt32) -> [any CodingKey] {
    guard value != absentValue else { return [] }
    let steps = scanner.steps(to: Int(value))
    guard options.convertsKeys else { return steps }
    return steps.reduce(into: []) { path, step in
      path.append(step.intValue == nil ? PathKey(converted(step.stringValue, path) ?? step.stringValue) : step)
    }
  }

  private func key(of index: Int, _ path: [any CodingKey]) -> PathKey? {
    let node = scanner.node(index).pointee
    switch node.keyKind {
    case .root: return nil
    case .index: return PathKey(index: Int(node.key))
    case .absentName: return PathKey(absentNames[Int(node.key)])
    case .dictionaryName: return PathKey(scanner.name(ofKeyAt: Int(node.key)))
    case .name:
      let name = scanner.name(ofKeyAt: Int(node.key))
      return PathKey(options.convertsKeys ? converted(name, path) ?? name : name)
    }
  }
}
