/// Members and elements.
extension EncodingState {
  /// What stands between a member or element and the one before.
  @inline(__always)
  private func separate() {
    switch writer.last {
    case ASCII.leftBrace, ASCII.leftBracket: break
    case 0: if core.pointee.continues { writer.append(ASCII.comma) }
    default: writer.append(ASCII.comma)
    }
  }

  /// Begins a member of the object that is on top.
  @inline(__always)
  func beginMember(_ key: some CodingKey, _ depth: Int, _ suffix: [any CodingKey]) {
    beginMember(named: shared.convertsKeys ? convertedName(key, depth, suffix) : key.stringValue)
  }

  @inline(__always)
  private func beginMember(named name: String) {
    separate()
    var text = name
    text.withUTF8 { bytes in
      if !core.pointee.names.add(bytes, from: core.pointee.containers[core.pointee.containers.count &- 1].firstName) {
        shared.mayRepeatNames = true
        forgetNested(name)
      }
      writer.append(quoting: bytes, shared.escapesSlashes)
    }
    writer.append(ASCII.colon)
    core.pointee.containers[core.pointee.containers.count &- 1].count &+= 1
  }

  /// A container that the name had is not its value from now on.
  private func forgetNested(_ name: String) {
    for index in core.pointee.closed.indices
    where core.pointee.closed[index].container.parent == core.pointee.top
      && core.pointee.closed[index].container.name == name
    { core.pointee.closed[index].container.parent = 0 }
  }

  private func convertedName(_ key: some CodingKey, _ depth: Int, _ suffix: [any CodingKey]) -> String {
    shared.convertedName(key) { codingPath(depth, suffix) }
  }

  /// Begins an element of the array that is on top, and returns its index.
  @inline(__always)
  func beginElement() -> Int {
    separate()
    defer { core.pointee.containers[core.pointee.containers.count &- 1].count &+= 1 }
    return core.pointee.containers[core.pointee.containers.count &- 1].count
  }

  /// The member or element that was begun comes to nothing.
  func takeBack(to start: Int) {
    cut(to: start)
    core.pointee.containers[core.pointee.containers.count - 1].count -= 1
  }

  /// Takes bytes back, with what was to be put in between.
  func cut(to start: Int) {
    writer.cut(to: start)
    core.pointee.insertions.removeAll { $0.offset >= start }
  }

  /// The container that a member of the object on top is: one that the name has already, or a new one.
  func nestedContainer(_ key: some CodingKey, _ depth: Int, _ suffix: [any CodingKey], isObject: Bool) -> UInt32 {
    let name = shared.convertsKeys ? convertedName(key, depth, suffix) : key.stringValue
    let parent = core.pointee.top
    if core.pointee.names.mayHave(name, from: core.pointee.containers[core.pointee.containers.count - 1].firstName) {
      let known = core.pointee.closed[(core.pointee.values.last?.closed ?? 0)...].last {
        $0.container.parent == parent && $0.container.isObject == isObject && $0.container.name == name
      }
      if let known { return known.container.number }
    }
    beginMember(named: name)
    return openContainer(isObject: isObject, parent: parent, name: name)
  }

  /// The container that an element of the array on top is.
  func nestedContainer(isObject: Bool) -> UInt32 {
    _ = beginElement()
    return openContainer(isObject: isObject, parent: 0, name: "")
  }

  /// An encoder of the value that has been begun, for any time until the document's end.
  func superEncoder(_ path: [any CodingKey]) -> any Encoder {
    shared.hasParts = true
    let state = EncodingState(shared, root: path)
    core.pointee.insertions.append(Insertion(offset: writer.count, replaced: 2, state: state))
    writer.append("{}")
    return state.openRoot()
  }

  private func openRoot() -> ValueEncoder {
    let number = core.pointee.nextNumber()
    core.pointee.values.append(OpenValue(number: number, depth: 0, containers: 0, closed: 0))
    return ValueEncoder(state: self, index: 0, number: number)
  }
}
