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
  func beginMember(_ key: some CodingKey, _ path: () -> [any CodingKey]) {
    beginMember(named: memberName(key, path))
  }

  /// Writes a member of the top container, or nothing if its value throws.
  @inline(__always)
  func writeMember(_ key: some CodingKey, _ path: () -> [any CodingKey], _ write: () throws -> Void) throws {
    let start = writer.count
    beginMember(key, path)
    do { try write() } catch {
      takeBack(to: start)
      throw error
    }
  }

  @inline(__always)
  private func beginMember(named name: String) {
    separate()
    var isRepeated = false
    var text = name
    text.withUTF8 { bytes in
      if !core.pointee.names.add(bytes, from: core.pointee.containers[core.pointee.containers.count &- 1].firstName) {
        shared.mayRepeatNames = true
        forgetNested(name, of: core.pointee.top)
        isRepeated = true
      }
      if core.pointee.isContinuation, core.pointee.containers.count == 1 {
        origin?.forgetNested(name, of: originNumber)
      }
      writer.append(quoting: bytes, shared.escapesSlashes)
    }
    writer.append(ASCII.colon)
    if isRepeated { noteRepeated(name) }
    core.pointee.containers[core.pointee.containers.count &- 1].count &+= 1
  }

  @inline(never)
  private func noteRepeated(_ name: String) {
    guard let watched = core.pointee.watched, watched.object == core.pointee.top, watched.name.hasSameBytes(as: name)
    else { return }
    core.pointee.watched?.start = writer.count
  }

  /// Disassociates an earlier container with the name, because it is no longer the member's value.
  private func forgetNested(_ name: String, of object: UInt32) {
    if let index = core.pointee.closedIndex.index(of: name, inObject: object, core.pointee.closed) {
      core.pointee.closed[index].container.parent = 0
    }
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
    if let watched = core.pointee.watched?.start, watched >= start { core.pointee.watched?.start = .max }
    core.pointee.insertions.removeAll { $0.offset >= start }
    while let raw = core.pointee.raws.last, raw.lowerBound >= start { core.pointee.raws.removeLast() }
  }

  /// Returns the container of a member of the top object, and where it is: the name's existing one, or a new one.
  func nestedContainer(named name: String, isObject: Bool) -> (EncodingState, UInt32) {
    let parent = core.pointee.top
    if core.pointee.names.mayHave(name, from: core.pointee.containers[core.pointee.containers.count - 1].firstName),
      let number = closedMember(name, of: parent, isObject: isObject)
    {
      return (self, number)
    }
    if core.pointee.isContinuation, core.pointee.containers.count == 1, let origin,
      let number = origin.closedMember(name, of: originNumber, isObject: isObject)
    {
      return (origin, number)
    }
    beginMember(named: name)
    return (self, openContainer(isObject: isObject, parent: parent, name: name))
  }

  private func closedMember(_ name: String, of object: UInt32, isObject: Bool) -> UInt32? {
    guard let index = core.pointee.closedIndex.index(of: name, inObject: object, core.pointee.closed),
      core.pointee.closed[index].container.isObject == isObject
    else {
      return nil
    }
    return core.pointee.closed[index].container.number
  }

  /// The name under which a key is written.
  @inline(__always)
  func memberName(_ key: some CodingKey, _ path: () -> [any CodingKey]) -> String {
    shared.convertsKeys ? shared.convertedName(key, path) : key.stringValue
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
    let number = state.core.pointee.nextNumber()
    state.core.pointee.values.append(OpenValue(number: number, depth: 0, containers: 0, closed: 0))
    return ValueEncoder(state: state, index: 0, number: number)
  }
}
