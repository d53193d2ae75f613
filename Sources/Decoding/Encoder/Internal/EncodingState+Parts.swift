/// Writing members and elements.
extension EncodingState {
  /// Writes the separator between a member or element and the previous one.
  @inline(__always)
  private func separate() {
    switch writer.last {
    case ASCII.leftBrace, ASCII.leftBracket: break
    case 0: if core.pointee.continues { writer.append(ASCII.comma) }
    default: writer.append(ASCII.comma)
    }
  }

  /// Begins a member of the top container, an object.
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

  /// Disassociates an earlier container with the name, because it is no longer the member's value.
  private func forgetNested(_ name: String) {
    if let index = closedIndex(name) { core.pointee.closed[index].container.parent = 0 }
  }

  /// Returns the position of the closed container that is the value of a member of the top object.
  private func closedIndex(_ name: String) -> Int? {
    core.pointee.closedIndex.place(of: name, inObject: core.pointee.top, core.pointee.closed)
  }

  private func convertedName(_ key: some CodingKey, _ depth: Int, _ suffix: [any CodingKey]) -> String {
    shared.convertedName(key) { codingPath(depth, suffix) }
  }

  /// Begins an element of the top container, an array, and returns its index.
  @inline(__always)
  func beginElement() -> Int {
    separate()
    defer { core.pointee.containers[core.pointee.containers.count &- 1].count &+= 1 }
    return core.pointee.containers[core.pointee.containers.count &- 1].count
  }

  /// Removes the member or element that was begun.
  func takeBack(to start: Int) {
    cut(to: start)
    core.pointee.containers[core.pointee.containers.count - 1].count -= 1
  }

  /// Removes bytes and the insertions among them.
  func cut(to start: Int) {
    writer.cut(to: start)
    core.pointee.insertions.removeAll { $0.offset >= start }
    while let raw = core.pointee.raws.last, raw.lowerBound >= start { core.pointee.raws.removeLast() }
  }

  /// Returns the container of a member of the top object: the name's existing one, or a new one.
  func nestedContainer(_ key: some CodingKey, _ depth: Int, _ suffix: [any CodingKey], isObject: Bool) -> UInt32 {
    let name = shared.convertsKeys ? convertedName(key, depth, suffix) : key.stringValue
    let parent = core.pointee.top
    if core.pointee.names.mayHave(name, from: core.pointee.containers[core.pointee.containers.count - 1].firstName),
      let index = closedIndex(name), core.pointee.closed[index].container.isObject == isObject
    {
      return core.pointee.closed[index].container.number
    }
    beginMember(named: name)
    return openContainer(isObject: isObject, parent: parent, name: name)
  }

  /// Returns a new container for an element of the top array.
  func nestedContainer(isObject: Bool) -> UInt32 {
    _ = beginElement()
    return openContainer(isObject: isObject, parent: 0, name: "")
  }

  /// Returns an encoder of the value that was begun, which is valid until the end of the document.
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
