/// Open values and containers, and closed containers that are written to again.
extension EncodingState {
  func depth(of index: UInt32) -> Int {
    index < core.pointee.values.count ? core.pointee.values[Int(index)].depth : core.pointee.path.count
  }

  func codingPath(_ depth: Int, _ suffix: [any CodingKey]) -> [any CodingKey] {
    root + core.pointee.path.prefix(depth).map(\.key) + suffix
  }

  /// Calls the closure that encodes a value at the current end of the text. If it throws, what it has written remains.
  ///
  /// - Parameter mayBeNothing: Whether a value that encodes nothing becomes an empty object instead of an error.
  @inline(__always)
  func encodeOpen<T>(_ value: T, mayBeNothing: Bool = true, _ body: (ValueEncoder) throws -> Void) throws {
    let index = core.pointee.values.count
    let number = core.pointee.nextNumber()
    core.pointee.values.append(
      OpenValue(
        number: number, depth: core.pointee.path.count, containers: core.pointee.containers.count,
        closed: core.pointee.closed.count))
    core.pointee.top = 0
    defer { finish(index) }
    try body(ValueEncoder(state: self, index: UInt32(index), number: number))
    if core.pointee.values[index].content == .nothing {
      guard mayBeNothing else { throw nothingError(value) }
      writer.append("{}")
    }
  }

  /// Extends the path to a value, and returns the previous depth.
  @inline(__always)
  func descend(_ suffix: [any CodingKey], _ entry: consuming PathEntry) -> Int {
    let depth = core.pointee.path.count
    for key in suffix { core.pointee.path.append(.key(key)) }
    core.pointee.path.append(entry)
    return depth
  }

  func ascend(to depth: Int) { while core.pointee.path.count > depth { core.pointee.path.removeLast() } }

  func setIndex(_ index: Int) { core.pointee.path[core.pointee.path.count - 1] = .index(index) }
  func setName(_ name: String) { core.pointee.path[core.pointee.path.count - 1] = .key(AnyKey(stringValue: name)) }

  @inline(never)
  private func nothingError<T>(_ value: T) -> EncodingError {
    EncodingError.invalid(
      value, at: root + core.pointee.path.map(\.key), "Top-level \(type(of: value)) did not encode any values.")
  }

  private func finish(_ index: Int) {
    close(downTo: core.pointee.values[index].containers, isLast: true)
    forgetClosed(downTo: core.pointee.values[index].closed)
    core.pointee.values.removeLast()
    core.pointee.top =
      core.pointee.containers.count > (core.pointee.values.last?.containers ?? 0)
      ? core.pointee.containers[core.pointee.containers.count - 1].number : 0
  }

  /// Removes everything that an open value has written.
  func startOver(_ index: Int, at start: Int) {
    while core.pointee.containers.count > core.pointee.values[index].containers {
      core.pointee.names.cut(to: core.pointee.containers.removeLast().firstName)
    }
    forgetClosed(downTo: core.pointee.values[index].closed)
    core.pointee.values[index].content = .nothing
    core.pointee.values[index].isRefused = false
    core.pointee.top = 0
    cut(to: start)
  }

  private func forgetClosed(downTo count: Int) {
    while core.pointee.closed.count > count {
      let closed = core.pointee.closed.removeLast()
      core.pointee.closedIndex.remove(closed.container, at: core.pointee.closed.count)
    }
  }

  func isOpen(_ index: UInt32, _ number: UInt32) -> Bool {
    index < core.pointee.values.count && core.pointee.values[Int(index)].number == number
  }

  /// Marks a value as a scalar; false if it already has a value, has ended, or a value inside it is being encoded.
  func beginScalar(_ index: UInt32, _ number: UInt32) -> Bool {
    guard index == core.pointee.values.count - 1, isOpen(index, number) else { return false }
    guard core.pointee.values[Int(index)].content == .nothing else {
      core.pointee.values[Int(index)].isRefused = true
      return false
    }
    core.pointee.values[Int(index)].content = .scalar
    return true
  }

  /// Reverts ``beginScalar(_:_:)`` after the scalar could not be written.
  func endScalar(_ index: UInt32) { core.pointee.values[Int(index)].content = .nothing }

  /// Returns the container of a value, and creates it if needed; 0 if the value is of another kind or has ended.
  func container(of index: UInt32, _ number: UInt32, isObject: Bool) -> UInt32 {
    guard isOpen(index, number) else { return 0 }
    switch core.pointee.values[Int(index)].content {
    case .object(let container):
      if !isObject { core.pointee.values[Int(index)].isRefused = true }
      return isObject ? container : 0
    case .array(let container): return isObject ? 0 : container
    case .scalar: return 0
    case .nothing:
      // A value inside this one is being encoded, and must end first.
      guard index == core.pointee.values.count - 1 else { return 0 }
      let container = openContainer(isObject: isObject, parent: 0, name: "")
      core.pointee.values[Int(index)].content = isObject ? .object(container) : .array(container)
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
    core.pointee.top = core.pointee.nextNumber()
    core.pointee.containers.append(
      OpenContainer(
        number: core.pointee.top, parent: parent, isObject: isObject, name: name, firstName: core.pointee.names.count))
    return core.pointee.top
  }

  /// - Parameter isLast: Whether the containers cannot be written to again, because their value has ended.
  func close(downTo count: Int, isLast: Bool = false) {
    while core.pointee.containers.count > count {
      let container = core.pointee.containers.removeLast()
      core.pointee.names.cut(to: container.firstName)
      if !isLast { core.pointee.closed.append(ClosedContainer(container: container, end: writer.count)) }
      writer.append(container.isObject ? ASCII.rightBrace : ASCII.rightBracket)
    }
  }

  /// Returns the state to which the container's next part is written at the end; nil if its value has ended, or if a
  /// value inside it is being encoded.
  @inline(__always)
  func enter(_ container: UInt32) -> EncodingState? {
    container == core.pointee.top && container != 0 ? self : enterAgain(container)
  }

  @inline(never)
  private func enterAgain(_ number: UInt32) -> EncodingState? {
    guard number != 0 else { return nil }
    let first = core.pointee.values.last?.containers ?? 0
    if let index = core.pointee.containers.lastIndex(where: { $0.number == number }) {
      guard index >= first else { return nil }
      close(downTo: index + 1)
      core.pointee.top = number
      return self
    }
    guard let index = closedIndex(number), index >= core.pointee.values.last?.closed ?? 0 else { return nil }
    if let insertion = core.pointee.closed[index].insertion { return insertion.enter(1) }
    let container = core.pointee.closed[index].container
    let insertion = EncodingState(shared, root: root + core.pointee.path.map(\.key))
    insertion.becomeContinuation(of: container, in: self)
    // The names of the closed container are no longer known.
    if container.isObject { shared.mayRepeatNames = true }
    core.pointee.closed[index].insertion = insertion
    shared.hasParts = true
    core.pointee.insertions.append(Insertion(offset: core.pointee.closed[index].end, replaced: 0, state: insertion))
    return insertion
  }

  /// Returns the object's member with this name if it is the last one, and a container of this kind that is still open.
  ///
  /// Its owner continues, so containers inside it are closed when one of the two is written to.
  func openMember(_ name: String, of object: UInt32, isObject: Bool) -> UInt32? {
    guard object != 0, let index = core.pointee.containers.lastIndex(where: { $0.number == object }),
      index >= core.pointee.values.last?.containers ?? 0, index + 1 < core.pointee.containers.count
    else { return nil }
    let member = core.pointee.containers[index + 1]
    return member.parent == object && member.isObject == isObject && member.name.hasSameBytes(as: name)
      ? member.number : nil
  }

  private func closedIndex(_ number: UInt32) -> Int? {
    core.pointee.closedIndex.index(of: number, in: core.pointee.closed)
  }

  private func becomeContinuation(of container: OpenContainer, in origin: EncodingState) {
    (self.origin, originNumber) = (origin, container.number)
    core.pointee.isContinuation = true
    // It has the number 1 and is never closed.
    _ = push(isObject: container.isObject, parent: 0, name: "")
    core.pointee.containers[0].count = container.count
    core.pointee.continues = container.count > 0
  }

  func count(of container: UInt32) -> Int {
    if let open = core.pointee.containers.last(where: { $0.number == container }) { return open.count }
    guard let index = closedIndex(container) else { return 0 }
    return core.pointee.closed[index].insertion?.core.pointee.containers.first?.count
      ?? core.pointee.closed[index].container.count
  }
}
