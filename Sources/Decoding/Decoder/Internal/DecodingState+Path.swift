extension DecodingState {
  /// Returns the coding path of a value, built on request from the nodes' parents and the keys in the text.
  @inline(never)
  func path(_ node: Int, _ value: UInt32) -> [any CodingKey] {
    if errors.value == value, value != absentValue { return errors.path }
    // If names are converted for types, and not for dictionaries, a value may have two paths.
    guard !options.convertsKeys, scanner.isLive(node, value), value != absentValue else { return makePath(node, value) }
    let parent = Int(scanner.node(node).pointee.parent)
    let container = parent < 0 ? absentValue : scanner.node(parent).pointee.value
    if container != absentValue, errors.container == container {
      errors.path[errors.path.count - 1] = key(of: node, in: [])
    } else if container != absentValue, errors.value == container {
      errors.path.append(key(of: node, in: []))
    } else {
      errors.path = makePath(node, value)
    }
    (errors.value, errors.container) = (value, container)
    return errors.path
  }

  private func makePath(_ node: Int, _ value: UInt32) -> [any CodingKey] {
    guard scanner.isLive(node, value) else { return steps(to: value) }
    let parent = Int(scanner.node(node).pointee.parent)
    // Any node but the first without a parent belongs to a container or decoder that outlived its `init(from:)`.
    guard parent >= 0 else { return node == 0 ? [] : steps(to: value) }
    var path = makePath(parent, scanner.node(parent).pointee.value)
    path.append(key(of: node, in: path))
    return path
  }

  private func key(of index: Int, in path: [any CodingKey]) -> PathKey {
    let node = scanner.node(index).pointee
    let key = PathKey(step(of: node))
    let name = node.keyKind == .name ? options.keyDecodingStrategy.converted(key.stringValue, path) : nil
    return name.map { PathKey($0) } ?? key
  }

  /// Returns the steps from where the decode began to a value, with the names in the document.
  func steps(to node: Int, _ value: UInt32) -> [PathStep] {
    var steps: [PathStep] = []
    var next = scanner.isLive(node, value) ? node : -1
    while next >= 0 {
      let node = scanner.node(next).pointee
      if node.keyKind == .root {
        // The root, or a node of a container or decoder that outlived its `init(from:)`.
        return next == 0 ? steps.reversed() : scanner.steps(to: Int(value)).map(PathStep.init)
      }
      steps.append(step(of: node))
      next = Int(node.parent)
    }
    return value == absentValue ? [] : scanner.steps(to: Int(value)).map(PathStep.init)
  }

  /// Returns the path of a value without a node, found in the text.
  private func steps(to value: UInt32) -> [any CodingKey] {
    guard value != absentValue else { return [] }
    let steps = scanner.steps(to: Int(value))
    guard options.convertsKeys else { return steps }
    return steps.reduce(into: []) { path, step in
      let name = step.intValue == nil ? options.keyDecodingStrategy.converted(step.stringValue, path) : nil
      path.append(name.map { PathKey($0) } ?? step)
    }
  }

  /// Returns the step of a node that has a parent.
  private func step(of node: ValueNode) -> PathStep {
    switch node.keyKind {
    case .index: .index(Int(node.key))
    case .absentName: .name(ByteString(absentNames[Int(node.key)]))
    case .root, .dictionaryName, .name: .name(ByteString(scanner.name(ofKeyAt: Int(node.key))))
    }
  }

  /// Returns the steps from the document's root to a value, with the names in the document.
  func documentSteps(to node: Int, _ value: UInt32) -> [PathStep] { rootSteps + steps(to: node, value) }

  /// The steps from the document's root to the value at which decoding started.
  ///
  /// The search continues from the previous value, because all values that a path selects may have values to drop.
  var rootSteps: [PathStep] {
    guard scanner.core.pointee.nodeCount > 0 else { return [] }
    let offset = Int(scanner.node(0).pointee.value)
    if let rootPlace, rootPlace.offset == offset { return rootPlace.steps }
    let text = scanner.text
    let containers =
      if let previous = rootPlace, previous.offset < offset {
        OpenContainers(text, from: previous.offset, inside: previous.containers.containers, to: offset)
      } else {
        OpenContainers(text, from: text.skipSpace(0), to: offset)
      }
    let place = RootPlace(offset: offset, containers: containers, steps: containers.steps(to: offset))
    rootPlace = place
    return place.steps
  }
}

/// Where the value that is being decoded is in its document.
struct RootPlace {
  let offset: Int
  let containers: OpenContainers
  let steps: [PathStep]
}
