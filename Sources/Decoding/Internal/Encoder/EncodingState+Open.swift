/// Values and containers that are open, and those that are written to again.
extension EncodingState {
  func depth(of index: UInt32) -> Int { index < values.count ? values[Int(index)].depth : path.count }

  func codingPath(_ depth: Int, _ suffix: [any CodingKey]) -> [any CodingKey] {
    root + path.prefix(depth).map(\.key) + suffix
  }

  /// Calls what encodes a value, where it belongs in the text. What was written is left there when it throws.
  ///
  /// - Parameter mayBeNothing: Whether a value that encodes nothing is an empty object, and no error.
  func encodeOpen(_ value: Any, mayBeNothing: Bool = true, _ body: (ValueEncoder) throws -> Void) throws {
    let index = values.count
    let number = nextNumber()
    values.append(OpenValue(number: number, depth: path.count, containers: containers.count, closed: closed.count))
    top = 0
    defer { finish(index) }
    try body(ValueEncoder(state: self, index: UInt32(index), number: number))
    if values[index].content == .nothing {
      guard mayBeNothing else { throw nothingError(value) }
      writer.append("{}")
    }
  }

  /// Goes down to a value whose path is longer by that much, and returns the depth to come back to.
  func descend(_ suffix: [any CodingKey], _ entry: PathEntry?) -> Int {
    let depth = path.count
    for key in suffix { path.append(.key(key)) }
    if let entry { path.append(entry) }
    return depth
  }

  func ascend(to depth: Int) { path.removeLast(path.count - depth) }

  func setIndex(_ index: Int) { path[path.count - 1] = .index(index) }
  func setName(_ name: String) { path[path.count - 1] = .key(AnyKey(stringValue: name)) }

  private func nothingError(_ value: Any) -> EncodingError {
    EncodingError.invalidValue(
      value,
      EncodingError.Context(
        codingPath: root + path.map(\.key), debugDescription: "Top-level \(type(of: value)) did not encode any values.")
    )
  }

  private func finish(_ index: Int) {
    close(downTo: values[index].containers)
    closed.removeLast(closed.count - values[index].closed)
    values.removeLast(values.count - index)
    top = containers.count > (values.last?.containers ?? 0) ? containers[containers.count - 1].number : 0
  }

  private func isOpen(_ index: UInt32, _ number: UInt32) -> Bool {
    index < values.count && values[Int(index)].number == number
  }

  /// Marks a value as a scalar; false where it is something already, has ended, or one inside of it is being encoded.
  func beginScalar(_ index: UInt32, _ number: UInt32) -> Bool {
    guard index == values.count - 1, isOpen(index, number), values[Int(index)].content == .nothing else { return false }
    values[Int(index)].content = .scalar
    return true
  }

  /// After ``beginScalar(_:_:)``, where the scalar could not be written.
  func endScalar(_ index: UInt32) { values[Int(index)].content = .nothing }

  /// The container that a value is, or is from now on; 0 where it is something else, or has ended.
  func container(of index: UInt32, _ number: UInt32, isObject: Bool) -> UInt32 {
    guard isOpen(index, number) else { return 0 }
    switch values[Int(index)].content {
    case .object(let container): return isObject ? container : 0
    case .array(let container): return isObject ? 0 : container
    case .scalar: return 0
    case .nothing:
      // A value inside of this one is being encoded, which must end first.
      guard index == values.count - 1 else { return 0 }
      let container = openContainer(isObject: isObject, parent: 0, name: "")
      values[Int(index)].content = isObject ? .object(container) : .array(container)
      return container
    }
  }
}

extension EncodingState {
  func openContainer(isObject: Bool, parent: UInt32, name: String) -> UInt32 {
    writer.append(isObject ? ASCII.leftBrace : ASCII.leftBracket)
    return push(isObject: isObject, parent: parent, name: name)
  }

  private func push(isObject: Bool, parent: UInt32, name: String) -> UInt32 {
    top = nextNumber()
    containers.append(
      OpenContainer(number: top, parent: parent, isObject: isObject, name: name, firstName: names.count))
    return top
  }

  func close(downTo count: Int) {
    while containers.count > count {
      let container = containers.removeLast()
      names.cut(to: container.firstName)
      closed.append(ClosedContainer(container: container, end: writer.count))
      writer.append(container.isObject ? ASCII.rightBrace : ASCII.rightBracket)
    }
  }

  /// The document to write the container's next part to, in which it is the last one; nil where its value has ended, or
  /// one inside of it is being encoded.
  @inline(__always)
  func enter(_ container: UInt32) -> EncodingState? {
    container == top && container != 0 ? self : enterAgain(container)
  }

  @inline(never)
  private func enterAgain(_ number: UInt32) -> EncodingState? {
    guard number != 0 else { return nil }
    let first = values.last?.containers ?? 0
    if let index = containers.lastIndex(where: { $0.number == number }) {
      guard index >= first else { return nil }
      close(downTo: index + 1)
      top = number
      return self
    }
    guard let index = closedIndex(number), index >= values.last?.closed ?? 0 else { return nil }
    if let insertion = closed[index].insertion { return insertion.enter(1) }
    let container = closed[index].container
    let insertion = EncodingState(shared, root: root + path.map(\.key))
    insertion.becomeContinuation(of: container)
    // Its names are known no more.
    if container.isObject { shared.mayRepeatNames = true }
    closed[index].insertion = insertion
    insertions.append(Insertion(offset: closed[index].end, replaced: 0, state: insertion))
    return insertion
  }

  /// Those that are asked for again and again, as columns of a table are, are searched for once.
  private func closedIndex(_ number: UInt32) -> Int? {
    if let known = closedIndices[number], known < closed.count, closed[known].container.number == number {
      return known
    }
    let index = closed.lastIndex { $0.container.number == number }
    closedIndices[number] = index
    return index
  }

  private func becomeContinuation(of container: OpenContainer) {
    // Number 1, and never closed.
    _ = push(isObject: container.isObject, parent: 0, name: "")
    containers[0].count = container.count
    continues = container.count > 0
  }

  func count(of container: UInt32) -> Int {
    if let open = containers.last(where: { $0.number == container }) { return open.count }
    guard let index = closedIndex(container) else { return 0 }
    return closed[index].insertion?.containers.first?.count ?? closed[index].container.count
  }
}
